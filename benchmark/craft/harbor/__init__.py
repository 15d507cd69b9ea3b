"""One project, one rubric, one reward: the verifier of a Harbor task, with options and outputs of the public one."""

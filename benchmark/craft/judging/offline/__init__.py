"""The offline judge: deterministic numbers from pixels, state log and counterfactual. A proxy, and labelled so."""

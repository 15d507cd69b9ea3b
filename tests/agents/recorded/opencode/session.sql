-- What opencode keeps of its sessions, as far as it is read: one of ours, and one of a sub-agent.
CREATE TABLE `session` (
    `id` text PRIMARY KEY, `parent_id` text, `title` text NOT NULL, `cost` real DEFAULT 0 NOT NULL,
    `tokens_input` integer DEFAULT 0 NOT NULL, `tokens_output` integer DEFAULT 0 NOT NULL,
    `tokens_reasoning` integer DEFAULT 0 NOT NULL, `tokens_cache_read` integer DEFAULT 0 NOT NULL,
    `tokens_cache_write` integer DEFAULT 0 NOT NULL
);
INSERT INTO session VALUES ('ses_e0a1efe1affeJkOK4P3XcR58Jr', NULL, 'benchmark', 0.0, 1640, 102, 27, 1690, 0);
INSERT INTO session VALUES ('ses_of_a_sub_agent', 'ses_e0a1efe1affeJkOK4P3XcR58Jr', 'look around', 0.0, 500, 20, 5, 100, 0);

"""Agents: named profiles that turn a task and a workspace into a submission."""

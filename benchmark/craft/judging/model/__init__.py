"""The model judge: one request per demo to any OpenAI-compatible endpoint. No fault becomes a number."""

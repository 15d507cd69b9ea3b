"""Language models as players: asked at every step with a picture, they answer with one function call."""

"""Function calls of Gemini's generateContent."""

from typing import TYPE_CHECKING, Any

from google import genai
from google.genai import types

from benchmark.play.models.transport import BoundedTransport, client_over
from benchmark.play.models.wire import MAX_CALLS, PlayAnswer, PlayQuestion, call_of, objects, said, tokens_of

if TYPE_CHECKING:
    from benchmark.play.models.endpoints import Account

_TOKENS = {
    "input": ("promptTokenCount",),
    "answer": ("candidatesTokenCount",),
    "reasoning": ("thoughtsTokenCount",),
    "cached": ("cachedContentTokenCount",),
}


class GeminiWire:
    """`:generateContent`."""

    def __init__(self, account: "Account") -> None:
        self.address = account.address
        self._model = account.model
        self._transport = BoundedTransport(account.address, account.address_variable)
        self._http = client_over(self._transport)
        options = types.HttpOptions(base_url=account.address, httpx_client=self._http)
        self._client = genai.Client(api_key=account.key, vertexai=False, http_options=options)

    def ask(self, question: PlayQuestion, seconds: float) -> PlayAnswer:
        parts = [
            types.Part.from_text(text=one)
            if isinstance(one, str)
            else types.Part.from_bytes(data=one, mime_type="image/jpeg")
            for one in question.parts
        ]
        declared = [
            types.FunctionDeclaration(name=one.name, description=one.does, parameters_json_schema=one.schema)
            for one in question.functions
        ]
        config = types.GenerateContentConfig(
            system_instruction=question.system,
            tools=[types.Tool(function_declarations=declared)],
            temperature=None if "temperature" in question.dropped else question.temperature,
            max_output_tokens=question.max_tokens,
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        )
        self._transport.begin(seconds)
        problem: Exception | None = None
        try:
            self._client.models.generate_content(
                model=self._model, contents=[types.Content(role="user", parts=parts)], config=config
            )
        except Exception as error:  # whatever the client makes of it: what came in is read here
            problem = error
        return _answer(self._transport.outcome(problem))

    def close(self) -> None:
        self._http.close()


def _answer(document: dict[str, Any]) -> PlayAnswer:
    content = next(iter(objects(document.get("candidates"))), {}).get("content")
    parts = objects(content.get("parts")) if isinstance(content, dict) else []
    calls = objects([one.get("functionCall") for one in parts])[:MAX_CALLS]
    counts = tokens_of(document.get("usageMetadata"), _TOKENS)
    answer = counts.pop("answer", None)
    if answer is not None:
        counts["output"] = answer + counts.get("reasoning", 0)  # thoughts are paid as output
    return PlayAnswer(
        calls=tuple(call_of(one.get("name"), one.get("args")) for one in calls),
        text=said(*(one.get("text") for one in parts)),
        tokens=counts,
        model=said(document.get("modelVersion"))[:100],
    )

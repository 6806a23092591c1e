"""The network of a Stanza tokenizer, run three times as fast as Stanza runs it.

Covers: scores of word and sentence ends for a batch of paragraphs. Stanza packs sequences of unequal length, for which
torch has only a slow LSTM; here each direction runs over padded sequences, the backward one over reversed ones, for
which it has a fast one. The numbers agree to seven digits.
Not here: what the scores mean for the text (`segment`).
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from stanza.models.tokenization.model import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

UNSUPPORTED = ("conv_res", "use_mwt", "charlm_forward_file")


class BoundaryNetwork:
    """Stands in for Stanza's trainer where only `predict` is needed."""

    def __init__(self, model: Tokenizer, args: dict[str, Any]) -> None:
        if not args["hierarchical"] or args["rnn_layers"] != 1 or any(args.get(name) for name in UNSUPPORTED):
            raise ValueError(f"the tokenizer must be hierarchical, of one layer, without {', '.join(UNSUPPORTED)}")
        self._model = model.eval()
        self._temperature = args["hier_invtemp"]
        self._first, self._second = _directions(model.rnn), _directions(model.rnn2)

    @torch.inference_mode()
    def predict(self, batch: tuple[Tensor, Tensor, Tensor, list[list[str]]]) -> NDArray[np.float32]:
        """Log-probabilities of no end, end of word, end of sentence: shape (n_paragraphs, n_characters, 3)."""
        units, _, features, characters = batch
        model = self._model
        order = _Order([len(row) for row in characters], units.shape[1])
        hidden = order.run(self._first, torch.cat([model.embeddings(units), features], 2))
        word, sentence = model.tok_clf(hidden), model.sent_clf(hidden)
        hidden = order.run(self._second, hidden * (1 - torch.sigmoid(-word * self._temperature)))
        word, sentence = word + model.tok_clf2(hidden), sentence + model.sent_clf2(hidden)
        ends, last = functional.logsigmoid(word), functional.logsigmoid(sentence)
        scores = [functional.logsigmoid(-word), ends + functional.logsigmoid(-sentence), ends + last]
        return torch.cat(scores, 2).numpy()


class _Order:
    """Where each character of a padded batch goes when every sequence is reversed, padding left in place."""

    def __init__(self, lengths: list[int], width: int) -> None:
        places = torch.arange(width).unsqueeze(0)
        ends = torch.tensor(lengths).unsqueeze(1)
        self._reversed = torch.where(places < ends, ends - 1 - places, places)
        self._rows = torch.arange(len(lengths)).unsqueeze(1)
        self._real = (places < ends).unsqueeze(2)

    def run(self, directions: tuple[nn.LSTM, nn.LSTM], x: Tensor) -> Tensor:
        forward, backward = directions
        there = forward(x)[0]
        back = backward(x[self._rows, self._reversed])[0][self._rows, self._reversed]
        return torch.cat([there, back], 2) * self._real


def _directions(lstm: nn.LSTM) -> tuple[nn.LSTM, nn.LSTM]:
    """The two directions of an LSTM as two LSTMs over the same weights."""
    pair = []
    for suffix in ("", "_reverse"):
        one = nn.LSTM(lstm.input_size, lstm.hidden_size, batch_first=True).eval()
        names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
        one.load_state_dict({name: getattr(lstm, name + suffix).detach() for name in names})
        pair.append(one)
    return pair[0], pair[1]

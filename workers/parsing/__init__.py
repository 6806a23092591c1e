"""The English parser: models, training, and parsing of one document.

| module | job |
|---|---|
| `choice` | which parser, without loading it |
| `treebank` | read CoNLL-U |
| `network` | the joint encoder, tagger and parser |
| `encoder` | the encoder without what only training needs |
| `pieces` | words to the network's tensors |
| `boundaries` | where words and sentences end |
| `segment` | text to sentences and words, with offsets |
| `decode` | scores to trees |
| `joint` | our models on one document, encoder run once |
| `pipeline` | any Stanza model on one document |
| `package` | model files on disk: pack, check, load, export to plain Stanza |
| `train_tokenizer`, `train_joint`, `train` | from treebanks to packed models |
| `scores` | score against a treebank, from raw text and from gold words |
| `card` | the model card |
| `conllu` | write parses as CoNLL-U |

What the rest of the product uses is `workers.parser`.
"""

"""The page on which people label the articles of a frame, and the small server behind it.

| question | module |
|---|---|
| What counts, in plain words? | `codebook` |
| Which words of an article bear on the question? | `marking` |
| Which article comes next, and what has been answered? | `desk` |
| How far do two coders agree? | `double_coding` |
| How does the browser talk to us? | `server` |
| What does the browser get? | `page` |
"""

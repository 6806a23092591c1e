"""What the service can do, one plain function per job: a frozen request in, a report out, progress by callback.

| module | what is in it |
|---|---|
| `requests` | what each job can be asked, with every default; light to import |
| `progress` | how far a job is |
| `progress_lines` | the same as lines of text, for logs |

Each other module is one job. The command line (`flows.cli`) and the schedules (`flows.scheduled`) are two skins over
these functions, so nothing here prints, exits, or knows about terminals.
"""

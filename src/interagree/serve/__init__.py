"""The page on which disagreements are decided: a server for one machine, one log of decisions, gold as it is exported.

* `project` keeps what was decided: one log in SQLite to which rows are only ever added.
* `guard` lets in who holds the address that was printed, and nobody else.
* `users` are the people of a team, with their roles.
* `workspace` reads the files, in doubt asks which reading is meant, and knows the items of each question.
* `edited` makes a value of the library out of what was edited on the page.
* `sent` checks what the page sends.
* `views` are the pages as JSON, from what reports and queues say; nothing is computed here.
* `export` takes gold home, each answer with where it comes from; `after` says what annotators got otherwise, how labels
  were confused, and what an audit found; `files` are what is given to people, for a guideline, a paper or to send on.
* `live` follows a source that is watched, and `news` tells pages what is new, as server-sent events.
* `app` puts these behind addresses; `running` starts and ends the server.
"""

"""The report of a tournament: from the values of its ledger to pages, without reading or writing anything.

1. `content` has everything that pages show. `reporting` fills it from the ledger and writes the files.
2. A page is one file: HTML with its style sheet, no request to any network. Only the list of results has a script, its filters.
   The policy (`markup.page`) forbids all others.
3. HTML is made by `markup.el` alone. It escapes all text and every value of an attribute, so no page can show a name, an answer
   or a line of stderr as anything but text.
4. People see rounded figures. `data-value` has the figure of `referee tournament table --json`, not rounded.
5. Pages for students hold nothing of other entrants' code or stderr, and link to no other page. Then stderr and the output of
   compilers are on no other page.
"""

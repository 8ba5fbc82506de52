#!/bin/sh
# Four of seven HTML-to-Markdown converters lose a table's last value if a cell contains a vertical bar.
#
# Versions: PyPI markdownify 1.2.3, markitdown 0.1.9, html2text 2025.4.15, html-to-markdown 3.21.2,
#     markdown-it-py 4.3.0; npm turndown 7.2.5 with turndown-plugin-gfm 1.0.2 or @joplin/turndown-plugin-gfm 1.0.68,
#     node-html-markdown 2.0.0
# Seen: the cells "a|b" and "either", written as Markdown and read again according to the GFM specification.
#     a|b, either   html-to-markdown, node-html-markdown, turndown with Joplin's plugin
#     a, b          markdownify, markitdown, html2text, turndown with turndown-plugin-gfm
# Why it is surprising: The converters escape *, _ and other characters with a meaning in Markdown, so one
#     expects that they also escape the character that separates cells. An extra cell is not an error: GFM
#     drops it, so "either" is lost. Tables of options (-a|--all), types (string | null) and shell pipes
#     contain such cells.
# Measured: 2026-11-29
set -eu
. "$(dirname "$0")/prepare.sh"
pypi markdownify==1.2.3 markitdown==0.1.9 html2text==2025.4.15 html-to-markdown==3.21.2 markdown-it-py==4.3.0
npm_packages turndown@7.2.5 turndown-plugin-gfm@1.0.2 @joplin/turndown-plugin-gfm@1.0.68 node-html-markdown@2.0.0
cat >table.html <<'HTML'
<table><tr><th>Flag</th><th>Use</th></tr><tr><td>a|b</td><td>either</td></tr></table>
HTML
node - >npm.json <<'JS'
const html = require('fs').readFileSync('table.html', 'utf8'), Turndown = require('turndown');
const with_ = name => new Turndown().use(require(name).gfm).turndown(html);
console.log(JSON.stringify({
  'turndown': with_('turndown-plugin-gfm'),
  'turndown, Joplin': with_('@joplin/turndown-plugin-gfm'),
  'node-html-markdown': require('node-html-markdown').NodeHtmlMarkdown.translate(html),
}));
JS
python - <<'PY'
import json
import re

import html2text
import html_to_markdown
import markdownify
from markdown_it import MarkdownIt
from markitdown import MarkItDown

html = open("table.html").read()
written = {
    "markdownify": markdownify.markdownify(html),
    "markitdown": MarkItDown().convert("table.html").text_content,
    "html2text": html2text.html2text(html),
    "html-to-markdown": html_to_markdown.convert(html).content,
    **json.load(open("npm.json")),
}
read = MarkdownIt("gfm-like", {"linkify": False}).render
cells = {name: re.findall("<td>(.*?)</td>", read(text)) for name, text in written.items()}
for name, found in cells.items():
    print(f"{name:20} {found}")
lost = {name for name, found in cells.items() if found == ["a", "b"]}
assert lost == {"markdownify", "markitdown", "html2text", "turndown"}, lost
assert all(found == ["a|b", "either"] for name, found in cells.items() if name not in lost), cells
PY

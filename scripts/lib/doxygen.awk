# Hands a header to Doxygen (docs/Doxyfile, FILTER_PATTERNS) so that its comments read there as they
# do here, line for line:
#
#   the // block at the head of a file     the file's description
#   // ---- a part of a class              a group of members
#   text that is indented, as in           kept as it stands: "///   in  dt  s", equations, tables
#   < > @ \ # * in text                    themselves, no commands; `code` stays code
#
# /// becomes /** */, because Doxygen leaves the slashes of /// in text that is kept as it stands.

function plain(text, parts, n, i, out) {
  n = split(text, parts, "`")
  for (i = 1; i <= n; ++i) {
    if (i % 2) gsub(/[\\@<>#*]/, "\\\\&", parts[i])
    out = out (i > 1 ? "`" : "") parts[i]
  }
  return out
}
# A line goes out when the next one has said whether a comment ends with it.
function put(line) {
  if (NR > 1) print held
  held = line
}
function endVerbatim() {
  if (isVerbatim) held = held " @endverbatim"
  isVerbatim = 0
}
function endComment() {
  endVerbatim()
  if (isComment) held = held " */"
  isComment = 0
}
# The next line of a comment: what follows the slashes, and what stands before them.
function comment(indent, text, start) {
  start = isComment ? "" : indent "/**"
  isComment = 1
  if (text ~ /^   /) {
    put(start (isVerbatim ? "" : " @verbatim") text)
    isVerbatim = 1
    return
  }
  endVerbatim()
  put(start plain(text))
}

NR == 1 { isHead = /^#pragma once/; put($0); next }
isHead && NR == 2 && /^$/ { put("/** @file"); isComment = 1; next }
isHead && /^\/\// { comment("", substr($0, 3)); next }
isHead { endComment(); isHead = 0 }

match($0, /^ +\/\/ ---- /) {
  endComment()
  title = substr($0, RLENGTH + 1)
  sub(/ \([a-z_]+\.cpp\)/, "", title)  # where it is written is of no use there
  put(substr($0, 1, RLENGTH - 8) (isGroup ? "/** @} */ " : "") "/** @name " plain(title))
  isTitle = isGroup = 1
  next
}
# What goes on on the next line is a description: the title ends with its first clause.
isTitle && match($0, /^ +\/\/( |$)/) {
  rest = plain(substr($0, RLENGTH + 1))
  if (isTitle == 1 && rest != "" && match(held, /[;:.] /)) {
    rest = substr(held, RSTART + 2) " " rest
    held = substr(held, 1, RSTART - 1)
  }
  isTitle = 2
  put(rest)
  next
}
isTitle { held = held " */ /** @{ */"; isTitle = 0 }
isGroup && /^( private:| protected:|};)/ {
  endComment()
  put("/** @} */" $0)
  isGroup = 0
  next
}
match($0, /^ *\/\/\//) && $0 !~ /^ *\/\/\/</ {
  comment(substr($0, 1, RLENGTH - 3), substr($0, RLENGTH + 1))
  next
}
{ endComment() }
match($0, /\/\/\/</) {
  put(substr($0, 1, RSTART + 3) plain(substr($0, RSTART + 4)))
  next
}
{ put($0) }
END { print held }

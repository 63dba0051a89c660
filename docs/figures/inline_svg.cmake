# SPDX-License-Identifier: MIT
# cmake -DDOT=… -DFROM=figure.dot -DTO=figure.svg -P inline_svg.cmake: draws a figure to include in a page, in the colour of
# its text, with the alternative text from its comments.
execute_process(COMMAND "${DOT}" -Tsvg "${FROM}" OUTPUT_VARIABLE svg COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS "${FROM}" alternative REGEX "^// Alternative: ")
list(TRANSFORM alternative REPLACE "^// Alternative: " "")
list(JOIN alternative " " alternative)
if(NOT alternative)
  message(FATAL_ERROR "${FROM} has no alternative text. Describe the figure in lines \"// Alternative: …\".")
endif()

set(opening "<svg role=\"img\" width=\"\\1\" style=\"max-width: 100%; height: auto\" ")
string(REGEX REPLACE "^.*<svg width=\"([0-9]+)pt\" height=\"[0-9]+pt\"\n? *" "${opening}" svg "${svg}")
string(REGEX REPLACE "<!--[^>]*-->\n?" "" svg "${svg}")
string(REGEX REPLACE "<title>[^<]*</title>\n?" "" svg "${svg}")
string(REGEX REPLACE " id=\"[^\"]*\"" "" svg "${svg}")
string(REPLACE "<text " "<text fill=\"currentColor\" " svg "${svg}")
string(REPLACE "\"black\"" "\"currentColor\"" svg "${svg}")
string(REGEX REPLACE "(<svg [^>]*>)\n?" "\\1\n<title>${alternative}</title>\n" svg "${svg}")
if(NOT svg MATCHES "^<svg role" OR svg MATCHES "black")
  message(FATAL_ERROR "${DOT} wrote an SVG of an unexpected form.")
endif()
file(WRITE "${TO}" "${svg}")

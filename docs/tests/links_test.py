# SPDX-License-Identifier: MIT
"""Every internal link and anchor of the site resolves, and nothing is loaded from elsewhere."""
from book import expect, site_argument
from links import Checker

site = site_argument()
checker = Checker(site.folder)
faults = checker.faults()
print(f"{len(checker.pages)} pages, {checker.followed} links")
expect(checker.followed > 1000, "fewer than 1000 links were followed")
expect(not faults, "\n".join([f"{len(faults)} faults:", *faults[:200]]))

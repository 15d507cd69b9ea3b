"""A real Chromium whose time advances only on command, frame by frame; docs/browser.md says what that is worth."""

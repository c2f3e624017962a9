/** Removes the characters that neither XML nor iCalendar can contain: controls except tab and line ends, and U+FFFE, U+FFFF. */
export function withoutControls(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\uFFFE\uFFFF]/g, '');
}

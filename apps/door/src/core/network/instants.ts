/** Milliseconds since 1970 of an ISO 8601 text. Servers write microseconds, which not every browser reads. */
export function instant(text: string): number {
  return Date.parse(text.replace(/(\.\d{3})\d+/, '$1'));
}

/** As {@link instant}; null for null and for what is no instant. */
export function instantOrNull(text: string | null | undefined): number | null {
  const moment = text ? instant(text) : Number.NaN;
  return Number.isNaN(moment) ? null : moment;
}

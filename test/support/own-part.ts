/** The page of an event without the other events of the venue below it. */
export const ownPart = (html: string): string => html.split('<section class="more')[0] as string;

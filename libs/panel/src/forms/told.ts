import type { MailsService } from '#tickets';

/** The notice after a change of which guests are told; `count` is their number. */
export const toldMessage = ({ deliver }: Pick<MailsService, 'deliver'>): string => (deliver ? 'savedTold' : 'savedToldKept');

interface DemoSettings {
  readonly demo: boolean;
  readonly baseDomain: string;
}

/** Whether the server is a demo on one's own computer, which can be tried as a new venue and without a mail server. */
export const isOwnDemo = ({ demo, baseDomain }: DemoSettings): boolean => demo && baseDomain === 'localhost';

/**
 * Whether pages show the links that mails would have, so that everything can be tried. Never where mails are sent, and never outside of
 * one's own computer: a mail proves that its reader owns the address.
 * @param host of the tenant
 */
export function showsMailLinks(settings: DemoSettings & { readonly smtpUrl: string | undefined }, host: string): boolean {
  return isOwnDemo(settings) && settings.smtpUrl === undefined && /(^|\.)localhost$/.test(host);
}

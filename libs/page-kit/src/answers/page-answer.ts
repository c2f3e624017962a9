import { reply, textTag, type Reply } from '#http';
import { currentLanguage, databaseNow, kernelProblem } from '#kernel';
import { heldOrder, withHeld } from './held.js';
import { categoryHas, currentTenant, hasModule, type TenantIdentity } from '#tenancy';

/** No scripts, no frames, no forms; styles and images from this host only. JSON-LD is data and not affected. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** The same for pages with the form of a booking: it is sent to this host, and our own script makes it more comfortable. */
const formPolicy = pagePolicy.replace("form-action 'none'", "form-action 'self'").replace('; style-src', "; script-src 'self'; style-src");
/** The same for forms that are answered with a redirect to the payment provider, to which browsers apply `form-action`, too. */
const paymentPolicy = formPolicy.replace("form-action 'self'", "form-action 'self' https:");
/** The same for pages whose script asks for them again. */
const lookingPolicy = formPolicy.replace('; style-src', "; connect-src 'self'; style-src");
/** For pages with events of other places, whose images are on other hosts. */
export const gatheringPolicy = pagePolicy.replace("img-src 'self'", "img-src 'self' http: https:");

/** The policy of a page whose form is sent to this host. */
export function withSearch(policy: string): string {
  return policy.replace("form-action 'none'", "form-action 'self'");
}

/**
 * A public answer that is the same for all readers of a language: cached for a minute, then revalidated by its ETag.
 * @param type such as `text/html`, `text/calendar`
 * @param body a function is only called for a caller who has another version
 * @param options.foreignPictures allows images of other hosts
 * @param options.tag the entity tag; default: made of the body
 * @param options.changesAt caches keep it no longer than until then
 */
export function publicReply(type: string, body: string | (() => Promise<string>), options: PublicReplyOptions = {}): Reply<string> {
  const { foreignPictures = false, hasForm = false, hasSearch = false, sites = [], isForAllSites = false } = options;
  const { tag = typeof body === 'string' ? `W/${textTag(body)}` : undefined } = options;
  const plain = foreignPictures ? gatheringPolicy : pagePolicy;
  const policy = hasForm ? formPolicy : hasSearch ? withSearch(plain) : plain;
  const headers = {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Language': currentLanguage(),
    'Content-Security-Policy': withSites(policy, sites),
    // Not `no-referrer`: with it browsers send no Origin header, by which our forms are distinguished from foreign ones.
    ...(hasForm && { 'Referrer-Policy': 'same-origin' }),
    ...(isForAllSites && { 'Cross-Origin-Resource-Policy': 'cross-origin' }),
    'Cache-Control': `public, max-age=${cacheSeconds(options.changesAt)}`,
    // Weak, because the same page is also sent compressed.
    ...(tag !== undefined && { ETag: tag }),
  };
  const held = type === 'text/html' ? heldOrder() : undefined;
  if (!held) return reply(body, { headers, vary: 'Accept-Language, Cookie' });
  const { ETag: _, ...others } = headers;
  const own = { ...others, 'Cache-Control': 'no-store' };
  return reply(async () => withHeld(typeof body === 'string' ? body : await body(), held), {
    headers: own,
    vary: 'Accept-Language, Cookie',
  });
}

interface PublicReplyOptions {
  /** The page has a form of a booking. */
  readonly hasForm?: boolean;
  /** The page has a form that searches this host. */
  readonly hasSearch?: boolean;
  readonly foreignPictures?: boolean;
  /** Origins of other sites that may show the page in a frame. */
  readonly sites?: readonly string[];
  /** A file that pages of all sites may load, also those that isolate themselves from other origins. */
  readonly isForAllSites?: boolean;
  readonly tag?: string;
  readonly changesAt?: Date | undefined;
}

/** Seconds for which caches keep an answer without asking again: a minute, or less when it is known to change earlier. */
export function cacheSeconds(changesAt: Date | undefined, now = databaseNow()): number {
  if (changesAt === undefined) return 60;
  return Math.min(60, Math.max(1, Math.ceil((changesAt.getTime() - now.getTime()) / 1000)));
}

/** The policy of a page that the sites, and this one, may show in frames; unchanged without sites. */
function withSites(policy: string, sites: readonly string[]): string {
  return sites.length === 0 ? policy : policy.replace("frame-ancestors 'none'", `frame-ancestors 'self' ${sites.join(' ')}`);
}

/** The policy of a problem page that these sites may show in frames; its script tells them its height. */
export function problemPolicy(sites: readonly string[]): string {
  return sites.length === 0 ? pagePolicy : withSites(formPolicy, sites);
}

/** Whether a tenant can have its own events; Root and networks cannot. */
export function hasAgenda({ category }: Pick<TenantIdentity, 'category'>): boolean {
  return categoryHas(category, 'events');
}

/** Whether the current tenant is a network, which shows the events of its members. */
export function isNetwork(): boolean {
  return hasModule('federated-agenda');
}

/** Whether a tenant has public pages; Root has none. */
export function hasPages({ category }: Pick<TenantIdentity, 'category'>): boolean {
  return categoryHas(category, 'events', 'federated-agenda');
}

/**
 * The current tenant, which must have its own events.
 * @throws Problem `route.unknown` when it cannot have any
 */
export function pageTenant(): TenantIdentity {
  const tenant = currentTenant();
  if (!hasAgenda(tenant)) throw kernelProblem('route.unknown');
  return tenant;
}

interface PersonalReplyOptions {
  readonly status?: number;
  /** The page's form leads to the payment provider. */
  readonly pays?: boolean;
  /** Origins of other sites that may show the page in a frame. */
  readonly sites?: readonly string[];
  /** Its script asks this host for the page again. */
  readonly looksAgain?: boolean;
  /** `no-referrer` only for pages without a form that `SameOriginGuard` guards: browsers then send no Origin header. */
  readonly referrer?: 'same-origin' | 'no-referrer';
  /** A header `Set-Cookie`. */
  readonly cookie?: string | undefined;
}

/** A page for one reader: not cached, not indexed, and its URL is not sent to other sites. */
export function personalReply(
  html: string,
  { status = 200, pays = false, looksAgain = false, referrer = 'same-origin', sites = [], cookie }: PersonalReplyOptions = {},
): Reply<string> {
  const policy = pays ? paymentPolicy : looksAgain ? lookingPolicy : formPolicy;
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': currentLanguage(),
    'Content-Security-Policy': withSites(policy, sites),
    'Cache-Control': 'no-store',
    'Referrer-Policy': referrer,
    'X-Robots-Tag': 'noindex',
    ...(cookie !== undefined && { 'Set-Cookie': cookie }),
  };
  const held = heldOrder();
  return reply(held ? withHeld(html, held) : html, { status, headers, vary: 'Accept-Language, Cookie' });
}

import { reply, textTag, type Reply } from '#http';
import { currentLanguage, kernelProblem } from '#kernel';
import { categoryHas, currentTenant, hasModule, type TenantIdentity } from '#tenancy';

/** No script, no frame, no form; style and pictures from this host alone. JSON-LD is data and needs no leave. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** The same for pages that show events of other places, whose pictures are on their hosts. */
export const gatheringPolicy = pagePolicy.replace("img-src 'self'", "img-src 'self' http: https:");

/**
 * Something public that is the same for everybody who reads the same language: kept for a minute, then asked for by its ETag.
 * @param type such as `html`, `text/calendar`
 * @param foreignPictures pictures of other hosts are shown, too
 */
export function publicReply(type: string, body: string, { foreignPictures = false } = {}): Reply<string> {
  const headers = {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Language': currentLanguage(),
    'Content-Security-Policy': foreignPictures ? gatheringPolicy : pagePolicy,
    'Cache-Control': 'public, max-age=60',
    // Weak, because the same page also goes out compressed.
    ETag: `W/${textTag(body)}`,
  };
  return reply(body, { headers, vary: 'Accept-Language' });
}

/** Whether a tenant has events of its own to show; Root and networks have none. */
export function hasAgenda({ category }: Pick<TenantIdentity, 'category'>): boolean {
  return categoryHas(category, 'events');
}

/** Whether the current tenant is a network, which shows the events of its members. */
export function isNetwork(): boolean {
  return hasModule('federated-agenda');
}

/** Whether a tenant has pages for the public; Root has none. */
export function hasPages({ category }: Pick<TenantIdentity, 'category'>): boolean {
  return categoryHas(category, 'events', 'federated-agenda');
}

/**
 * The tenant with events of its own whose pages are asked for.
 * @throws Problem `route.unknown` when it has none
 */
export function pageTenant(): TenantIdentity {
  const tenant = currentTenant();
  if (!hasAgenda(tenant)) throw kernelProblem('route.unknown');
  return tenant;
}

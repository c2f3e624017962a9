import { negotiateLanguage, showProblems, type ProblemPage } from '#http';
import { isLanguage, type ProblemBody } from '#kernel';
import type { Request } from 'express';
import { migratingPage } from './migrating.page.js';
import { problemVenue } from './problem-venue.js';
import { hasPages, isForFrame, pageDocument, pageWords, problemPolicy, type Venue } from '#page-kit';
import { placeStatePage } from './place-state.page.js';

const programPath = /^\/(api|scan|tenant(?!\/new)|payments|admin|assets|live|ready|metrics|tls)(\/|$)|\.(ics|rss|js|json|xml|txt)\/?$/i;
const pagePath = /^\/((event|order|waiting|cart|shop|memberships|places|reservation|ticket|membership)(\/|$)|$)/i;

/** Registers the HTML pages for problems on public pages. */
export function showPageProblems(): void {
  showProblems(problemPage);
}

/**
 * The problem as a page for people: on the paths of public pages, and on unknown paths when the client asks for HTML explicitly.
 * Undefined for programs.
 */
function problemPage(body: ProblemBody, request: Request): ProblemPage | undefined {
  if (body.code === 'tenant.migrating') return migratingPage(body, request);
  const closed = placeStatePage(body, request);
  if (closed) return closed;
  const { tenant } = request;
  const path = request.originalUrl.split('?')[0] ?? '';
  if (!tenant || !hasPages(tenant) || programPath.test(path)) return undefined;
  if (!pagePath.test(path) && !/\btext\/html\b/i.test(request.headers.accept ?? '')) return undefined;
  const language = isLanguage(request.context.language) ? request.context.language : negotiateLanguage(request, undefined);
  const words = pageWords[language];
  const missing = body.status === 404;
  const title = missing ? words.notFound : body.status === 429 || body.code === 'server.busy' ? body.title : words.failed;
  const details = body.errors?.map(({ detail }) => detail) ?? [body.detail];
  // The agenda may not stand in the frame.
  const target = isForFrame(request.get('Sec-Fetch-Dest')) ? { target: '_blank', rel: 'noopener' } : {};
  const main = (
    <div class="flow">
      <h1>{title}</h1>
      {(missing ? [words.notFoundHint] : details).map((line) => (
        <p>{line}</p>
      ))}
      <p>
        <a class="button" href="/" {...target}>
          {words.backToAgenda}
        </a>
      </p>
    </div>
  );
  const page = (sites: readonly string[], venue?: Venue): ProblemPage => ({
    html: pageDocument({
      tenant,
      language,
      title: `${title} · ${tenant.name}`,
      main,
      ...(venue && { venue }),
      sites,
      hasScript: sites.length > 0,
    }),
    headers: { 'Content-Security-Policy': problemPolicy(sites), Vary: 'Accept-Language, Accept, Cookie' },
  });
  const known = problemVenue(request, tenant, body);
  const inLook = async (read: NonNullable<typeof known>): Promise<ProblemPage> => {
    const { sites, venue } = await read();
    return page(sites, venue);
  };
  return { ...page([]), ...(known && { later: () => inLook(known) }) };
}

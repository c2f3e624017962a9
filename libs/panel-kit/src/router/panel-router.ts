import { negotiateLanguage } from '#http';
import type { Language, SecretBox } from '#kernel';
import type { PanelUser } from '#tenancy';
import type { AdminJS, AdminJSOptions } from 'adminjs';
import { Router } from 'express';
import type { Request, RequestHandler } from 'express';
import { sameOriginCheck } from '../http/same-origin-check.js';
import { PanelAssets } from '../request/panel-assets.js';
import { inRequestContext, parameterLimits, readBody } from '../http/panel-body.js';
import type { PanelKind } from '../resource/panel-entry.js';
import { panelCompression } from '../http/panel-compression.js';
import { panelFace } from './panel-kind.js';
import type { PanelContent } from '../resource/panel-content.js';
import { panelFailure, panelNotFound } from '../sign-in/panel-failures.js';
import { panelHeaders } from '../http/panel-headers.js';
import { adminOptions } from '../admin/panel-instance.js';
import { getAndPostOnly } from '../http/panel-methods.js';
import { PANEL_PATH } from '../request/panel-path.js';
import { currentPanelRequest, runAsPanelRequest } from '../request/panel-request.js';
import { panelState, placeStateCheck, type PlaceState } from '../http/panel-state.js';
import { ShownSecrets } from '../request/shown-secrets.js';
import { supportRouter, type SupportOptions } from '../sign-in/support.router.js';
import { noFilesForSupport, recordSupport } from '../admin/support-limits.js';
import { loginAddress, SignInRouter } from '../sign-in/sign-in.router.js';
import type { Authenticate } from '../sign-in/sign-in.router.js';

/** What the app gives the panel. All callbacks run inside the request's tenant. */
export interface PanelOptions {
  /** Asked once for each kind, when the application starts. */
  content: (kind: PanelKind) => PanelContent;
  /** Which panel this host shows. */
  face: (request: Request) => PanelKind;
  /** The tenant as the pages show it; its language is spoken when the browser asks for none of ours. */
  place: (request: Request) => { name: string; timeZone: string; language: Language } & PlaceState;
  /** An express-session whose sessions are bound to the tenant. */
  session: RequestHandler;
  /** Seals what a page is to show once. */
  box: Pick<SecretBox, 'seal' | 'open'>;
  authenticate: Authenticate;
  /** Counts a request of somebody who is not signed in; throws when there are too many. */
  countVisitor: (request: Request) => void;
  /** Whether the signed-in user still may enter; asked on each request, so that a right taken away works at once. */
  mayEnter: (user: PanelUser) => Promise<boolean>;
  /** The visits of operators. */
  support: SupportOptions;
  /** Where unexpected errors go; users only see that there was one. */
  onError: (error: unknown, request: Request) => void;
  /** Another folder of the bundle than dist/panel. */
  bundle?: string;
}

/** Puts session, user and language around the request. */
function openRequest(options: PanelOptions): RequestHandler {
  return async (request, _response, next) => {
    const place = options.place(request);
    const { adminUser, support } = request.session;
    const user = adminUser && (await options.mayEnter(adminUser)) ? adminUser : null;
    if (user && request.context) request.context.actor = { kind: 'staff', userId: user.id };
    const language = negotiateLanguage(request, place.language);
    const origin = `${request.protocol}://${request.host}`;
    const secrets = new ShownSecrets(request.session, options.box);
    const { name, timeZone } = place;
    const state = panelState(place, user, language);
    const visit = user && support ? { support } : {};
    runAsPanelRequest({ language, timeZone, place: name, user, origin, secrets, ...state, ...visit }, () => next());
  };
}

/** Bounds what those who are not signed in may ask for. */
function countVisitors({ countVisitor }: PanelOptions): RequestHandler {
  return (request, _response, next) => {
    // Attempts to sign in have a limit of their own, in which known browsers count by themselves.
    const signsIn = request.method === 'POST' && request.path === '/login';
    if (!signsIn && !currentPanelRequest().user) countVisitor(request);
    next();
  };
}

/** Lets nobody pass who is not signed in on this tenant. */
function requireUser(): RequestHandler {
  return (request, response, next) => {
    if (currentPanelRequest().user) {
      next();
      return;
    }
    if (request.path.startsWith('/api/')) {
      // The pages' script goes to the sign-in when it sees this.
      response.status(401).json({ login: `${PANEL_PATH}/login` });
      return;
    }
    response.redirect(302, loginAddress(request.originalUrl));
  };
}

/**
 * The panel, to be mounted with `app.use('/admin', panel.router)` behind the middleware that finds the tenant and before any body
 * parser. The routes of AdminJS join when the application starts ({@link fill}).
 */
export class PanelRouter {
  readonly router = Router();
  private readonly routers: Record<PanelKind, Router> = { tenant: Router(), root: Router() };
  private readonly assets: PanelAssets;
  private readonly contents = new Map<PanelKind, PanelContent>();

  /** @throws Error when the bundle was not built */
  constructor(private readonly options: PanelOptions) {
    // The bundle is made beforehand; AdminJS must not build.
    process.env['ADMIN_JS_SKIP_BUNDLE'] = 'true';
    const assets = PanelAssets.read(PANEL_PATH, options.bundle);
    this.assets = assets;
    this.router.use(panelHeaders(), assets.router());
    this.router.use('/api', getAndPostOnly);
    this.router.use(sameOriginCheck(), panelCompression());
    this.router.use(inRequestContext(options.session), openRequest(options));
    this.router.use(countVisitors(options));
    this.router.use(new SignInRouter(assets, options.authenticate, options.support.leave).router());
    this.router.use(supportRouter(assets, options.support));
    this.router.use(requireUser(), placeStateCheck(), parameterLimits(), readBody());
    this.router.use(noFilesForSupport(), recordSupport(options.support));
    // AdminJS's own copies of the bundles, of which ours are newer.
    this.router.use('/frontend', panelNotFound(assets));
    this.router.use((request, response, next) => this.routers[options.face(request)](request, response, next));
    this.router.use(panelNotFound(assets), panelFailure(assets, options.onError));
  }

  /** The menu of the current tenant for somebody who is signed in: resources that its category has, in their order. */
  menu(face: PanelKind): string[] {
    return this.content(face)
      .entries.filter(({ allows }) => allows?.('list', null) ?? true)
      .map(({ source }) => source.id);
  }

  /** What AdminJS shows on this face. */
  adminOptions(face: PanelKind): AdminJSOptions {
    return adminOptions(this.content(face), this.assets);
  }

  /** Adds the routes of an AdminJS that was made with {@link adminOptions}. */
  fill(face: PanelKind, admin: AdminJS): void {
    this.routers[face].use(panelFace(this.content(face), admin, this.assets));
  }

  private content(kind: PanelKind): PanelContent {
    let content = this.contents.get(kind);
    if (!content) this.contents.set(kind, (content = this.options.content(kind)));
    return content;
  }
}

import { negotiateLanguage } from '#http';
import type { Language, SecretBox } from '#kernel';
import type { PanelPerson, PanelUser } from '#tenancy';
import type { AdminJS, AdminJSOptions } from 'adminjs';
import { Router } from 'express';
import type { Request, RequestHandler } from 'express';
import { sameOriginCheck } from '../http/same-origin-check.js';
import { PanelAssets } from '../request/panel-assets.js';
import { inRequestContext, parameterLimits, readBody } from '../http/panel-body.js';
import type { PanelEntry, PanelKind } from '../resource/panel-entry.js';
import { panelCompression } from '../http/panel-compression.js';
import { panelKindRouter } from './panel-kind.js';
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
import { hasProven } from '../rights/proofs.js';
import { guardedContent } from '../rights/guarded-content.js';
import { FirstSteps } from '../sign-in/begin-session.js';
import { CodePages, type CompleteWithCode } from '../steps/code.router.js';
import { invitationRouter, type InvitationOptions } from '../steps/invitation.router.js';
import { passkeyRouter, type PasskeyOptions } from '../steps/passkey.router.js';
import { proofRouter, type ProofOptions } from '../steps/proof.router.js';
import { passwordLinkRouter, type PasswordLinkOptions } from '../steps/password-link.router.js';
import { loginAddress, SignInRouter } from '../sign-in/sign-in.router.js';
import { setUpFirst } from '../http/set-up-first.js';
import { signInLimit, type CountAttempt } from '../sign-in/sign-in-limit.js';
import type { Authenticate } from '../sign-in/sign-in.router.js';

/** Options of the panel. All callbacks run inside the request's tenant. */
export interface PanelOptions {
  /** Called once per kind of panel, when the application starts. */
  content: (kind: PanelKind) => PanelContent;
  /** The kind of panel that this host shows. */
  kind: (request: Request) => PanelKind;
  /** Display data of the tenant. Its language is used when the browser accepts none of ours. */
  place: (request: Request) => { name: string; timeZone: string; language: Language } & PlaceState;
  /** The express-session middleware, whose sessions are bound to the tenant. */
  session: RequestHandler;
  /** Encrypts secrets that a page shows once. */
  box: Pick<SecretBox, 'seal' | 'open'>;
  authenticate: Authenticate;
  /** Counts an attempt to sign in, in memory and before everything else. */
  countAttempt: CountAttempt;
  /** Counts a request without sign-in; throws when the rate limit is exceeded. */
  countVisitor: (request: Request) => void;
  /** Counts a request of somebody who is signed in, by session; throws when there are too many. */
  countStaff: (request: Request) => void;
  /** Counts the bytes of a form for the quota of the tenant; throws when it is used up. */
  countStored: (bytes: number) => Promise<void>;
  /** Refuses a request whose session has made too many requests, without counting and before the session is looked up. */
  refuseSpent: (request: Request) => void;
  /** Completes the sign-in of somebody with a second factor. */
  completeWithCode: CompleteWithCode;
  /** Sign-in with a passkey. */
  passkeys: PasskeyOptions;
  /** People who are signed in prove again to be the ones. */
  proofs: ProofOptions;
  /** Links behind which a password is chosen. */
  passwordLinks: PasswordLinkOptions;
  /** Invitations to the panel. */
  invitations: InvitationOptions;
  /**
   * The signed-in user; undefined when it may not use the panel. Called for each request, so that a revoked permission takes effect at
   * once.
   */
  personOf: (user: PanelUser) => Promise<PanelPerson | undefined>;
  /** Support visits of operators. */
  support: SupportOptions;
  /** Logs unexpected errors; users only see that an error occurred. */
  onError: (error: unknown, request: Request) => void;
  /** Folder of the bundle; default dist/panel. */
  bundle?: string;
}

/** Runs the rest of the request as a panel request with session, user and language. */
function openRequest(options: PanelOptions): RequestHandler {
  return async (request, _response, next) => {
    const place = options.place(request);
    const { adminUser, support } = request.session;
    const person = adminUser && (await options.personOf(adminUser));
    const user = person ? { ...adminUser, name: person.name } : null;
    const { grant, mustSetUp = false } = person ?? {};
    if (user && request.context) {
      request.context.actor = { kind: 'staff', userId: user.id, ...(support && { visitId: support.visitId }) };
    }
    const language = negotiateLanguage(request, place.language, person?.language ?? undefined);
    const origin = `${request.protocol}://${request.host}`;
    const secrets = new ShownSecrets(request.session, options.box);
    const { name, timeZone } = place;
    const state = panelState(place, user, language);
    const visit = user && support ? { support } : {};
    const isProven = hasProven(request.session);
    runAsPanelRequest(
      { language, timeZone, place: name, user, ...(grant && { grant }), isProven, mustSetUp, origin, secrets, ...state, ...visit },
      () => next(),
    );
  };
}

/** Refuses sessions beyond their rate limit before they cost a look-up. */
function refuseSpent(options: PanelOptions): RequestHandler {
  return (request, _response, next) => {
    options.refuseSpent(request);
    next();
  };
}

/** Forms of people who are not signed in. */
const signInPaths = ['/login', '/forgotten', '/password/', '/invitation/'];

/** Limits the rate of requests without sign-in. */
function countRequests({ countVisitor, countStaff }: PanelOptions): RequestHandler {
  return (request, _response, next) => {
    // Sign-in attempts have their own limit, which counts known browsers separately.
    const signsIn = request.method === 'POST' && signInPaths.some((path) => request.path.startsWith(path));
    if (currentPanelRequest().user) countStaff(request);
    else if (!signsIn) countVisitor(request);
    next();
  };
}

/** Counts what a form may store. Pictures count where they are stored. */
function countStored({ countStored: count }: PanelOptions): RequestHandler {
  return (request, _response, next) => {
    const isForm = request.method === 'POST' && !/^multipart/i.test(request.headers['content-type'] ?? '');
    if (!isForm) return next();
    count(Number(request.headers['content-length'] ?? 0)).then(() => next(), next);
  };
}

/** Requires a user who is signed in on this tenant: 401 for the API, a redirect to the sign-in page otherwise. */
function requireUser(): RequestHandler {
  return (request, response, next) => {
    if (currentPanelRequest().user) {
      next();
      return;
    }
    if (request.path.startsWith('/api/')) {
      // The pages' script opens the sign-in page on this status.
      response.status(401).json({ login: `${PANEL_PATH}/login` });
      return;
    }
    response.redirect(302, loginAddress(request.originalUrl));
  };
}

/**
 * The panel. Mount it with `app.use('/admin', panel.router)` after the middleware that finds the tenant and before any body parser.
 * AdminJS's routes are added when the application starts ({@link fill}).
 */
export class PanelRouter {
  readonly router = Router();
  private readonly routers: Record<PanelKind, Router> = { tenant: Router(), root: Router() };
  private readonly assets: PanelAssets;
  private readonly contents = new Map<PanelKind, PanelContent>();

  /** @throws Error when the bundle was not built */
  constructor(private readonly options: PanelOptions) {
    // The bundle is built beforehand; AdminJS must not build it.
    process.env['ADMIN_JS_SKIP_BUNDLE'] = 'true';
    const assets = PanelAssets.read(PANEL_PATH, options.bundle);
    this.assets = assets;
    this.router.use(panelHeaders(), assets.router());
    this.router.use('/api', getAndPostOnly);
    this.router.use(sameOriginCheck());
    const limit = inRequestContext(signInLimit({ assets, count: options.countAttempt, placeOf: options.place }));
    const stranger = [
      '/login',
      '/login/code',
      '/login/passkey',
      '/login/code/passkey',
      '/forgotten',
      '/password/:token',
      '/invitation/:token',
    ];
    this.router.post(stranger, limit);
    this.router.use(refuseSpent(options));
    this.router.use(panelCompression());
    this.router.use(inRequestContext(options.session), openRequest(options));
    this.router.use(countRequests(options));
    const steps = new FirstSteps(options.box);
    const signIn = new SignInRouter(assets, options.authenticate, steps, options.support.leave);
    const code = new CodePages(assets, steps, options.completeWithCode, options.passkeys.waysOf);
    this.router.use(signIn.router(), code.router(), passwordLinkRouter(assets, steps, options.passwordLinks));
    this.router.use(passkeyRouter(steps, options.passkeys, signIn, code), invitationRouter(assets, steps, options.invitations));
    this.router.use(supportRouter(assets, options.support));
    this.router.use(requireUser(), setUpFirst(), proofRouter(assets, options.proofs));
    this.router.use(placeStateCheck(), parameterLimits(), inRequestContext(countStored(options)), readBody());
    this.router.use(noFilesForSupport(), recordSupport(options.support));
    // Hides AdminJS's own copies of the bundles; ours replace them.
    this.router.use('/frontend', panelNotFound(assets));
    this.router.use((request, response, next) => this.routers[options.kind(request)](request, response, next));
    this.router.use(panelNotFound(assets), panelFailure(assets, options.onError));
  }

  /** The ids of the resources that the current tenant's category has, in the order of the menu. */
  menu(kind: PanelKind): string[] {
    return this.content(kind)
      .entries.filter(({ allows }) => allows?.('list', null) ?? true)
      .map(({ source }) => source.id);
  }

  /** The resources of one kind of panel, with their rights. */
  entries(kind: PanelKind): readonly PanelEntry[] {
    return this.content(kind).entries;
  }

  /** The AdminJS options of one kind of panel. */
  adminOptions(kind: PanelKind): AdminJSOptions {
    return adminOptions(this.content(kind), this.assets);
  }

  /** Adds the routes of the AdminJS instance that was created with {@link adminOptions}. */
  fill(kind: PanelKind, admin: AdminJS): void {
    this.routers[kind].use(panelKindRouter(this.content(kind), admin, this.assets, this.options.passwordLinks.delivers));
  }

  private content(kind: PanelKind): PanelContent {
    let content = this.contents.get(kind);
    if (!content) this.contents.set(kind, (content = guardedContent(this.options.content(kind))));
    return content;
  }
}

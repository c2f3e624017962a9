import { isLanguage, isUuid, isVisible, RefusedInput } from '#kernel';
import { beginSession, currentPanelRequest, passkeySite, qrPicture, type PanelAssets } from '#panel-kit';
import type { FactorKey } from '#tenancy';
import { Router } from 'express';
import type { Request, Response } from 'express';
import { isAsked, ownId, sendPage, textIn, wordsNow } from './account.answers.js';
import { accountPage } from './account.page.js';
import { accountPath, type AccountNotice } from './account.parts.js';
import type { AccountServices } from './account.services.js';
import { ownAccountWords } from './account.words.js';
import { codesPage, requiredPage, setUpPage } from './factor.page.js';
import { passkeysRouter } from './passkeys.router.js';

const notices = [
  'saved',
  'passwordSaved',
  'ended',
  'endedOthers',
  'factorOn',
  'factorOff',
  'factorKept',
  'passkeyAdded',
  'passkeyRenamed',
  'passkeyRemoved',
] as const;

/** *My account*. Its pages need no script but for passkeys, and are closed during a support visit: they are the operator's account. */
export function accountRouter(services: AccountServices, assets: PanelAssets): Router {
  const pages = new AccountPages(services, assets);
  const router = Router();
  router.use('/account', (_request, _response, next) => next(currentPanelRequest().support ? 'router' : undefined));
  router.get('/account', (request, response) => pages.show(request, response, 200, { done: doneIn(request) }));
  router.post('/account', (request, response) => pages.save(request, response));
  router.post('/account/password', (request, response) => pages.changePassword(request, response));
  router.post('/account/sessions', (request, response) => pages.endSessions(request, response));
  router.get('/account/factor', (_request, response) => pages.setUp(response));
  router.post('/account/factor', (request, response) => pages.switchOn(request, response));
  router.post('/account/factor/off', (request, response) => pages.switchOff(request, response));
  router.post('/account/factor/kept', (_request, response) => pages.keepFactor(response));
  router.get('/account/required', (request, response) => pages.require(request, response));
  router.post('/account/codes', (_request, response) => pages.newCodes(response));
  router.use(passkeysRouter(services, assets));
  return router;
}

const doneIn = ({ query }: Request): AccountNotice['done'] => notices.find((name) => name === query['done']);

class AccountPages {
  constructor(
    private readonly services: AccountServices,
    private readonly assets: PanelAssets,
  ) {}

  async show(request: Request, response: Response, status: number, notice: AccountNotice): Promise<void> {
    const { account, factor, passkeys, resets } = this.services;
    const { language, timeZone } = currentPanelRequest();
    const id = ownId();
    const read = await account.read(id);
    if (!read) return response.redirect(303, '/admin/login');
    const view = {
      account: read,
      sessions: await account.sessions(id, request.sessionID),
      factor: await factor.state(id),
      passkeys: await passkeys.list(id),
      resetAskedAt: (await resets.openOf(id))?.askedAt,
      host: passkeySite(request)?.host,
      timeZone,
      notice,
    };
    sendPage(response, status, accountPage(view, language), this.assets);
  }

  async save(request: Request, response: Response): Promise<void> {
    const { language: own } = currentPanelRequest();
    const name = textIn(request, 'name');
    const language = textIn(request, 'language');
    if (!isVisible(name) || name.length > 200) return this.show(request, response, 400, { fault: ownAccountWords[own].nameFault });
    const chosen = isLanguage(language) ? language : null;
    try {
      await this.services.users.change(ownId(), { name, language: chosen });
    } catch (error) {
      return this.refuse(request, response, error);
    }
    // The cookie of this browser would win over the language of the account.
    response.redirect(303, `${accountPath}?done=saved${chosen === null ? '' : `&lang=${chosen}`}`);
  }

  async changePassword(request: Request, response: Response): Promise<void> {
    const { account } = this.services;
    const id = ownId();
    const { adminUser } = request.session;
    const guess = await account.checkPassword(id, textIn(request, 'present'), response);
    const words = wordsNow();
    if (!guess.ok) return this.show(request, response, 403, { fault: words.refused(guess, words.wrongPassword) });
    try {
      const sessionVersion = await account.setPassword(id, textIn(request, 'next'));
      if (adminUser) await beginSession(request, { ...adminUser, sessionVersion });
    } catch (error) {
      return this.refuse(request, response, error);
    }
    response.redirect(303, `${accountPath}?done=passwordSaved`);
  }

  async endSessions(request: Request, response: Response): Promise<void> {
    const { sessions } = this.services;
    const end = textIn(request, 'end');
    if (end === 'others') await sessions.endOthers(ownId(), request.sessionID);
    else if (isUuid(end)) await sessions.end(ownId(), end);
    response.redirect(303, `${accountPath}?done=${end === 'others' ? 'endedOthers' : 'ended'}`);
  }

  async setUp(response: Response): Promise<void> {
    if (isAsked(response, `${accountPath}/factor`)) return;
    return this.showKey(response, 200, await this.services.factor.begin(ownId()));
  }

  async switchOn(request: Request, response: Response): Promise<void> {
    if (isAsked(response, `${accountPath}/factor`)) return;
    const { factor } = this.services;
    const id = ownId();
    const words = wordsNow();
    const answer = await factor.confirm(id, textIn(request, 'code'));
    if (!answer.ok) return this.showKey(response, 403, await factor.begun(id), words.refused(answer, words.wrongCode));
    if (answer.codes.length === 0) return response.redirect(303, `${accountPath}?done=factorOn`);
    sendPage(response, 200, codesPage(answer.codes, currentPanelRequest().language), this.assets);
  }

  async switchOff(request: Request, response: Response): Promise<void> {
    const { account, factor } = this.services;
    const id = ownId();
    const words = wordsNow();
    const password = await account.checkPassword(id, textIn(request, 'password'), response);
    if (!password.ok) return this.show(request, response, 403, { fault: words.refused(password, words.wrongPassword) });
    const code = await factor.check(id, textIn(request, 'code'));
    if (!code.ok) return this.show(request, response, 403, { fault: words.refused(code, words.wrongCode) });
    await factor.switchOff(id);
    response.redirect(303, `${accountPath}?done=factorOff`);
  }

  async keepFactor(response: Response): Promise<void> {
    const isKept = await this.services.resets.keep(ownId());
    response.redirect(303, isKept ? `${accountPath}?done=factorKept` : accountPath);
  }

  require(request: Request, response: Response): void {
    const { mustSetUp, language } = currentPanelRequest();
    if (mustSetUp !== true) return response.redirect(303, accountPath);
    sendPage(response, 200, requiredPage(language, passkeySite(request) !== undefined), this.assets);
  }

  async newCodes(response: Response): Promise<void> {
    if (isAsked(response, accountPath)) return;
    const codes = await this.services.factor.newCodes(ownId());
    if (codes) sendPage(response, 200, codesPage(codes, currentPanelRequest().language), this.assets);
    else response.redirect(303, accountPath);
  }

  private async showKey(response: Response, status: number, key: FactorKey | undefined, fault?: string): Promise<void> {
    if (!key) return response.redirect(303, accountPath);
    const picture = await qrPicture(key.address);
    sendPage(response, status, setUpPage({ key: key.key, picture, fault }, currentPanelRequest().language), this.assets);
  }

  private refuse(request: Request, response: Response, error: unknown): Promise<void> {
    if (!(error instanceof RefusedInput)) throw error;
    return this.show(request, response, 400, { fault: error.message });
  }
}

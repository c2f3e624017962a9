import { isUuid, isVisible } from '#kernel';
import { askForPasskey, currentPanelRequest, passkeyAnswer, passkeySite, type PanelAssets } from '#panel-kit';
import type { OwnPasskey } from '#tenancy';
import { Router } from 'express';
import type { Request, Response } from 'express';
import { isAsked, ownId, sendPage, textIn, wordsNow } from './account.answers.js';
import { accountPath } from './account.parts.js';
import type { AccountServices } from './account.services.js';
import { browserName } from './browser-names.js';
import { codesPage } from './factor.page.js';
import { longestName, newPasskeyPage, passkeyPage, passkeysPath } from './passkeys.page.js';

/** The passkeys of *My account*. GET with `passkeys`, and with `remove`, has what a browser needs. */
export function passkeysRouter(services: AccountServices, assets: PanelAssets): Router {
  const pages = new PasskeyPages(services, assets);
  const router = Router();
  router.get('/account/passkeys', (request, response) => pages.askForNew(request, response));
  router.post('/account/passkeys', (request, response) => pages.add(request, response));
  router.get('/account/passkeys/new', (request, response) => pages.showNew(request, response, 200));
  router.get('/account/passkeys/:passkey', (request, response) => pages.show(request, response, 200));
  router.post('/account/passkeys/:passkey', (request, response) => pages.rename(request, response));
  router.get('/account/passkeys/:passkey/remove', (request, response) => pages.askForProof(request, response));
  router.post('/account/passkeys/:passkey/remove', (request, response) => pages.remove(request, response));
  return router;
}

const isName = (name: string): boolean => isVisible(name) && name.length <= longestName;

class PasskeyPages {
  constructor(
    private readonly services: AccountServices,
    private readonly assets: PanelAssets,
  ) {}

  showNew(request: Request, response: Response, status: number, fault?: string): void {
    const site = passkeySite(request);
    if (!site) return response.redirect(303, accountPath);
    if (isAsked(response, `${passkeysPath}/new`)) return;
    const name = textIn(request, 'name') || browserName(request.get('User-Agent') ?? null, wordsNow().unknownBrowser);
    sendPage(response, status, newPasskeyPage(currentPanelRequest().language, { host: site.host, name, fault }), this.assets);
  }

  async askForNew(request: Request, response: Response): Promise<void> {
    const { user, isProven } = currentPanelRequest();
    const site = passkeySite(request);
    if (!user || !site || !isProven) return void response.status(403).json({});
    askForPasskey(request, response, await this.services.passkeys.beginNew(user, site, request.sessionID));
  }

  async add(request: Request, response: Response): Promise<void> {
    if (isAsked(response, `${passkeysPath}/new`)) return;
    const name = textIn(request, 'name').trim();
    if (!isName(name)) return this.showNew(request, response, 400, wordsNow().passkeyNameFault);
    const answer = passkeyAnswer(request, response, textIn(request, 'credential'));
    const added = answer && (await this.services.passkeys.add(ownId(), name, answer, request.sessionID));
    if (!added?.ok) return this.showNew(request, response, 403, wordsNow().notMade);
    if (added.codes.length === 0) return response.redirect(303, `${accountPath}?done=passkeyAdded`);
    sendPage(response, 200, codesPage(added.codes, currentPanelRequest().language), this.assets);
  }

  async show(request: Request, response: Response, status: number, fault?: string): Promise<void> {
    const passkey = await this.passkeyOf(request);
    const { user, language } = currentPanelRequest();
    if (!passkey || !user) return response.redirect(303, accountPath);
    const proves = await this.services.passkeys.has(user.id, passkeySite(request)?.host ?? '');
    sendPage(response, status, passkeyPage(language, { passkey, email: user.email, proves, fault }), this.assets);
  }

  async rename(request: Request, response: Response): Promise<void> {
    const name = textIn(request, 'name').trim();
    if (!isName(name)) return this.show(request, response, 400, wordsNow().passkeyNameFault);
    const passkey = await this.passkeyOf(request);
    if (passkey) await this.services.passkeys.rename(ownId(), passkey.id, name);
    response.redirect(303, `${accountPath}?done=passkeyRenamed`);
  }

  async askForProof(request: Request, response: Response): Promise<void> {
    const site = passkeySite(request);
    if (!site) return void response.status(404).json({});
    askForPasskey(request, response, await this.services.proofs.ask(ownId(), site, request.sessionID));
  }

  async remove(request: Request, response: Response): Promise<void> {
    const passkey = await this.passkeyOf(request);
    if (!passkey) return response.redirect(303, accountPath);
    const fault = await this.faultOfProof(request, response);
    if (fault !== undefined) return this.show(request, response, 403, fault);
    await this.services.passkeys.remove(ownId(), passkey.id);
    response.redirect(303, `${accountPath}?done=passkeyRemoved`);
  }

  /** Why the password or the passkey that was sent proves nothing. */
  private async faultOfProof(request: Request, response: Response): Promise<string | undefined> {
    const { account, proofs } = this.services;
    const words = wordsNow();
    const answer = passkeyAnswer(request, response, textIn(request, 'credential'));
    if (answer) return (await proofs.checkPasskey(ownId(), answer, request.sessionID)) ? undefined : words.notUsed;
    const password = await account.checkPassword(ownId(), textIn(request, 'password'), response);
    return password.ok ? undefined : words.refused(password, words.wrongPassword);
  }

  private async passkeyOf({ params }: Request): Promise<OwnPasskey | undefined> {
    const { passkey } = params;
    if (!isUuid(passkey)) return undefined;
    return (await this.services.passkeys.list(ownId())).find(({ id }) => id === passkey);
  }
}

import { RefusedInput, RefusedInputs } from '#kernel';
import { Router } from 'express';
import type { Request, Response } from 'express';
import { PANEL_PATH, currentPanelRequest, pageHref, PanelFieldError, plainPage, qrPicture, textOf, withoutRemoved } from '#panel-kit';
import type { PanelAssets, PanelRow, UploadedFile } from '#panel-kit';
import { hasModule } from '#tenancy';
import { setUpFirst, setUpForm, setUpShown } from '../events/event-set-up.page.js';
import { firstEventWords } from '../events/events.words.js';
import { pairingAddress } from '../pairing/team-code.reader.js';
import type { ShownPractice } from './practice.step.js';
import { saveHouse, savePayment } from './welcome.changes.js';
import { welcomePage, type WelcomeView } from './welcome.page.js';
import { welcomePath } from './welcome.path.js';
import { readWelcome, type WelcomeServices, type WelcomeStepName } from './welcome.reader.js';
import { welcomeWords } from './welcome.words.js';

type FormRequest = Request & { readonly fields?: PanelRow; readonly files?: Readonly<Record<string, UploadedFile>> };
type Handler = (request: FormRequest, response: Response) => Promise<void>;

/** The page with the first steps of a new tenant, and its forms. Needs no script. */
export function welcomeRouter(services: WelcomeServices, assets: PanelAssets): Router {
  const send = async (response: Response, more: Partial<WelcomeView> = {}, status = 200): Promise<void> => {
    const { language } = currentPanelRequest();
    const facts = await readWelcome(services);
    const asksEvent = hasModule('events') && (!facts.event || more.opened === 'event');
    // Sent again after it has said that somebody else has set up an event, the form makes a further one.
    const further =
      more.refused?.typed['further'] === 'true' ? [{ name: 'further', kind: 'hidden', label: '', value: 'true' } as const] : [];
    const previewed = asksEvent && more.refused ? await setUpShown(services.setUps, more.refused.typed) : '';
    const eventForm = asksEvent ? { ...(await setUpForm(services.setUps, further)), previewed } : undefined;
    const page = welcomePage({ facts, language, eventForm, ...more });
    response
      .status(status)
      .type('html')
      .send(plainPage(page, currentPanelRequest(), assets));
  };
  const show: Handler = async ({ query }, response) => {
    const practice = typeof query['practice'] === 'string' ? await shownPractice(services, query['practice']) : undefined;
    await send(response, practice && { practice, opened: 'practice' });
  };
  const refuse = (response: Response, opened: WelcomeStepName, fields: PanelRow, faults: ReadonlyMap<string, string>): Promise<void> => {
    const typed = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, textOf(value)]));
    return send(response, { refused: { typed, faults }, opened }, 400);
  };
  const dismiss: Handler = async (_request, response) => {
    await services.welcomes.dismiss();
    response.redirect(303, PANEL_PATH);
  };
  const house: Handler = async ({ fields = {} }, response) => {
    try {
      await saveHouse(services, fields);
      response.redirect(303, welcomePath);
    } catch (error) {
      if (!(error instanceof RefusedInput) && !(error instanceof RefusedInputs)) throw error;
      const faults = error instanceof RefusedInputs ? error.faults : [error];
      await refuse(response, 'house', fields, new Map(faults.map(({ field, message }) => [field, message])));
    }
  };
  const event: Handler = async ({ fields: sent = {}, files = {} }, response) => {
    const fields = withoutRemoved(sent);
    try {
      const { meanwhile, next = welcomePath } = hasModule('events')
        ? await setUpFirst(services.setUps, { ...fields, ...files } as PanelRow)
        : {};
      if (meanwhile === undefined) response.redirect(303, next);
      else await refuse(response, 'event', { ...fields, further: 'true' }, new Map([['', meanwhile], ...lost(files)]));
    } catch (error) {
      if (!(error instanceof PanelFieldError)) throw error;
      const faults = Object.entries(error.fields).map(([field, { message }]): [string, string] => [field, message]);
      await refuse(response, 'event', fields, new Map([...lost(files), ...(faults.length > 0 ? faults : [['', error.message] as const])]));
    }
  };
  const payment: Handler = async ({ fields = {} }, response) => {
    const needsAccount = hasModule('ticketing') && (await savePayment(services, fields));
    response.redirect(303, needsAccount ? pageHref('payment-account', 'add', { atVenue: 'true' }) : welcomePath);
  };
  const practise: Handler = async (_request, response) => {
    const { language, support } = currentPanelRequest();
    const id = support ? '' : await services.practice.create(welcomeWords[language].practice.device);
    // No fragment: browsers would not load the page again.
    response.redirect(303, `${welcomePath}?practice=${id}`);
  };
  const checkHere: Handler = async ({ fields = {} }, response) => {
    const id = textOf(fields['practice']);
    const practice = await shownPractice(services, id);
    if (practice) await services.practice.scanned(practice.ticket);
    response.redirect(303, practice ? `${welcomePath}?practice=${id}` : welcomePath);
  };
  const router = Router();
  const handled =
    (handler: Handler) =>
    (request: FormRequest, response: Response): Promise<void> =>
      handler(request, response);
  router.get('/welcome', handled(show));
  router.post('/welcome', handled(dismiss));
  router.post('/welcome/house', handled(house));
  router.post('/welcome/event', handled(event));
  router.post('/welcome/payment', handled(payment));
  router.post('/welcome/practice', handled(practise));
  router.post('/welcome/practice/here', handled(checkHere));
  return router;
}

/** The fault of a picture that was sent with a refused form: no page can send it again. */
const lost = ({ img }: NonNullable<FormRequest['files']>): (readonly [string, string])[] =>
  img ? [['img', firstEventWords[currentPanelRequest().language].pictureAgain]] : [];

/** Operators on a support visit see no codes. */
async function shownPractice({ practice }: WelcomeServices, id: string): Promise<ShownPractice | undefined> {
  const found = currentPanelRequest().support ? undefined : await practice.find(id);
  if (!found) return undefined;
  const address = pairingAddress(found.code);
  return { id, ...found, address, addressPicture: await qrPicture(address), ticketPicture: await qrPicture(found.ticket) };
}

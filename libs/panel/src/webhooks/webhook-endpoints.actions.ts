import { databaseNow } from '#kernel';
import type { WebhookDeliveriesService, WebhookEndpointsService } from '#webhooks';
import type { PanelAction, PanelRow } from '#panel-kit';
import { PanelFieldError, toInstant, recordHref, keepToReveal, revealAction } from '#panel-kit';
import { refusable } from '../forms/refusals.js';
/** Id of the resource of endpoints. */
export const ENDPOINTS = 'webhook-endpoints';

/** The key under which the session keeps a new secret. */
export const secretOf = (id: string): string => `webhook:${id}`;

const isOn = (row: PanelRow): boolean => row['state'] !== 'disabled';

/** The actions on one endpoint. */
export function endpointActions(endpoints: WebhookEndpointsService, deliveries: WebhookDeliveriesService): Record<string, PanelAction> {
  return {
    reveal: revealAction(secretOf),
    ping: {
      icon: 'Zap',
      visible: isOn,
      act: async (id) => {
        const { deliveryId } = await refusable(() => deliveries.ping(id));
        return { message: 'pinged', redirect: recordHref('webhook-deliveries', deliveryId) };
      },
    },
    resend: {
      icon: 'RotateCw',
      component: 'SendAgain',
      visible: isOn,
      view: async () => null,
      act: async (id, { since }) => {
        const moment = toInstant(since);
        if (moment === null) throw new PanelFieldError({ since: { message: 'fieldDate' } });
        if (Date.parse(moment) > databaseNow().getTime()) throw new PanelFieldError({ since: { message: 'sinceFuture' } });
        return { view: { queued: await refusable(() => deliveries.sendFailedAgain(id, new Date(moment))) } };
      },
    },
    rotate: {
      icon: 'RefreshCw',
      guard: 'rotateSure',
      act: async (id) => {
        const { secret } = await refusable(() => endpoints.rotateSecret(id));
        keepToReveal(secretOf(id), secret);
        return { redirect: recordHref(ENDPOINTS, id, 'reveal') };
      },
    },
    enable: {
      icon: 'Play',
      variant: 'primary',
      visible: (row) => !isOn(row),
      act: async (id) => {
        await refusable(() => endpoints.update(id, { enabled: true }));
        return { message: 'enabled' };
      },
    },
    disable: {
      icon: 'Pause',
      variant: 'danger',
      guard: 'disableSure',
      visible: isOn,
      act: async (id) => {
        await refusable(() => endpoints.update(id, { enabled: false }));
        return { message: 'disabled' };
      },
    },
  };
}

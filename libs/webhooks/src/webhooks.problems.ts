import { defineProblems } from '#kernel';

export const problem = defineProblems({
  'webhook_endpoint.unknown': {
    status: 404,
    en: ['Endpoint unknown', 'There is no such webhook endpoint.'],
    fr: ['Point de réception inconnu', "Ce point de réception n'existe pas."],
  },
  'webhook_endpoint.too_many': {
    status: 409,
    en: ['Too many endpoints', 'A place has at most {limit} webhook endpoints. Delete one that is not needed any more.'],
    fr: ['Trop de points de réception', 'Un lieu a au plus {limit} points de réception. Supprimez-en un qui ne sert plus.'],
  },
  'webhook_endpoint.disabled': {
    status: 409,
    en: ['Endpoint disabled', 'This webhook endpoint is disabled. Enable it first.'],
    fr: ['Point de réception désactivé', "Ce point de réception est désactivé. Réactivez-le d'abord."],
  },
  'webhook_delivery.unknown': {
    status: 404,
    en: ['Delivery unknown', 'There is no such delivery.'],
    fr: ['Envoi inconnu', "Cet envoi n'existe pas."],
  },
  'webhook_delivery.choose': {
    status: 400,
    en: ['What to send again?', 'Send either delivery, the identifier of one, or since, a date and time.'],
    fr: ['Que renvoyer ?', "Envoyez soit delivery, l'identifiant d'un envoi, soit since, une date et heure."],
  },
  'webhook_event.unknown': {
    status: 404,
    en: [
      'Event unknown',
      'The feed has no such event or position: it ends before, for example because the server was restored from a backup. Read everything anew, then read the feed without after and go on with its next.',
    ],
    fr: [
      'Événement inconnu',
      "Le flux n'a pas cet événement ou cette position : il s'arrête avant, par exemple parce que le serveur a été restauré. Relisez tout, puis lisez le flux sans after et continuez avec son next.",
    ],
  },
  'webhook_event.pruned': {
    status: 410,
    en: [
      'No longer kept',
      'Events right after this position are too old and no longer kept (30 days, unless the server is set otherwise). Read everything anew, then go on without after.',
    ],
    fr: [
      'Trop ancien',
      'Les événements qui suivent cette position sont trop anciens et ne sont plus conservés (30 jours, sauf autre réglage du serveur). Relisez tout, puis reprenez sans after.',
    ],
  },
});

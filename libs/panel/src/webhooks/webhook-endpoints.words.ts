import type { Language, Text } from '#kernel';
import type { ResourceWords } from '#panel-kit';

/** Under the last deliveries of an endpoint. */
export const allDeliveries: Text = { en: 'All its deliveries', fr: 'Tous ses envois' };

/** What the panel says of webhook endpoints. */
export const words: Record<Language, ResourceWords> = {
  en: {
    plural: 'Webhooks',
    singular: 'Webhook endpoint',
    properties: {
      url: 'Address',
      description: 'Description',
      types: 'Is told about',
      state: 'State',
      lastSuccessAt: 'Last success',
      waiting: 'Waiting deliveries',
      deliveries: 'Last deliveries',
      createdAt: 'Created',
      id: 'Identifier',
      since: 'Since',
    },
    values: { state: { active: 'Active', paused: 'Paused', failing: 'Failing', disabled: 'Disabled' } },
    actions: {
      new: 'New endpoint',
      reveal: 'New secret',
      ping: 'Send a test',
      resend: 'Send again what failed',
      rotate: 'New secret',
      enable: 'Enable',
      disable: 'Disable',
    },
    messages: {
      urlHelp: 'Where the other program listens, such as https://example.org/hook.',
      descriptionHelp: 'For you: whose program this is, and what it does with it.',
      typesNone: 'Choose at least one.',
      stateStaff: 'Disabled by the staff on {{time}}. Nothing is sent.',
      stateGone: 'Disabled on {{time}}: the receiver answered that it wants no more (410). Nothing is sent.',
      stateFailing: 'Disabled on {{time}}, after five days of nothing but failure. Nothing is sent.',
      statePaused: 'The receiver asked to be left alone until {{time}}.',
      stateSince: 'Nothing but failure since {{time}}. What fails is tried again for three days.',
      stateSecrets: 'Until {{time}} messages are signed with the old secret as well.',
      revealLead:
        'Copy this secret into the receiver now: it is shown this once. With it the receiver checks that a message comes from here and was not changed (Standard Webhooks).',
      revealGone: 'A secret is shown once, when it is made. If it was lost, make a new one.',
      rotateSure:
        'Make a new secret? For 24 hours messages are signed with the old one as well, so that you can change the receiver at leisure.',
      pinged: 'The test is on its way',
      disableSure: 'Disable this endpoint? What waits is kept; what happens meanwhile is not sent by itself.',
      disabled: 'Disabled: nothing is sent any more',
      enabled: 'Enabled: what waits is sent now. “Send again what failed” also sends what happened meanwhile.',
      confirmDelete: 'Delete this endpoint? What still waits to be sent, and the record of what was sent, go with it.',
      resendLead:
        'Sends everything that did not arrive since this moment: what failed, what still waits, and what happened while the endpoint was disabled. Events are kept for 30 days unless the server is set otherwise.',
      resendDo: 'Send again',
      sinceFuture: 'This moment is yet to come.',
      queued_zero: 'Nothing to send: everything since then has arrived.',
      queued_one: '{{count}} delivery is on its way.',
      queued_other: '{{count}} deliveries are on their way.',
      noRecordsInResource: 'No endpoint yet. Other programs that give their address here are told what happens.',
    },
  },
  fr: {
    plural: 'Webhooks',
    singular: 'Point de réception',
    properties: {
      url: 'Adresse',
      description: 'Description',
      types: 'Est informé de',
      state: 'État',
      lastSuccessAt: 'Dernier succès',
      waiting: 'Envois en attente',
      deliveries: 'Derniers envois',
      createdAt: 'Créé',
      id: 'Identifiant',
      since: 'Depuis',
    },
    values: { state: { active: 'Actif', paused: 'En pause', failing: 'En échec', disabled: 'Désactivé' } },
    actions: {
      new: 'Nouveau point de réception',
      reveal: 'Nouveau secret',
      ping: 'Envoyer un essai',
      resend: 'Renvoyer ce qui a échoué',
      rotate: 'Nouveau secret',
      enable: 'Réactiver',
      disable: 'Désactiver',
    },
    messages: {
      urlHelp: 'Là où l’autre programme écoute, par exemple https://example.org/hook.',
      descriptionHelp: 'Pour vous : à qui est ce programme, et ce qu’il en fait.',
      typesNone: 'Choisissez-en au moins un.',
      stateStaff: 'Désactivé par l’équipe le {{time}}. Rien n’est envoyé.',
      stateGone: 'Désactivé le {{time}} : le destinataire a répondu qu’il n’en veut plus (410). Rien n’est envoyé.',
      stateFailing: 'Désactivé le {{time}}, après cinq jours d’échecs sans un succès. Rien n’est envoyé.',
      statePaused: 'Le destinataire demande à ne rien recevoir jusqu’au {{time}}.',
      stateSince: 'Rien que des échecs depuis le {{time}}. Ce qui échoue est retenté pendant trois jours.',
      stateSecrets: 'Jusqu’au {{time}} les messages sont aussi signés avec l’ancien secret.',
      revealLead:
        'Copiez ce secret maintenant dans le programme destinataire : il n’est affiché qu’une fois. Il permet de vérifier qu’un message vient bien d’ici et n’a pas été modifié (Standard Webhooks).',
      revealGone: 'Un secret n’est affiché qu’une fois, à sa création. S’il est perdu, créez-en un nouveau.',
      rotateSure:
        'Créer un nouveau secret ? Pendant 24 heures les messages sont aussi signés avec l’ancien, le temps de changer le destinataire.',
      pinged: 'L’essai est parti',
      disableSure:
        'Désactiver ce point de réception ? Ce qui attend est gardé ; ce qui se passe entre-temps ne sera pas envoyé de soi-même.',
      disabled: 'Désactivé : plus rien n’est envoyé',
      enabled: 'Réactivé : ce qui attend part maintenant. « Renvoyer ce qui a échoué » envoie aussi ce qui s’est passé entre-temps.',
      confirmDelete: 'Supprimer ce point de réception ? Ce qui attend encore, et la trace de ce qui a été envoyé, disparaissent avec lui.',
      resendLead:
        'Envoie tout ce qui n’est pas arrivé depuis ce moment : ce qui a échoué, ce qui attend encore, et ce qui s’est passé pendant la désactivation. Les événements sont gardés 30 jours, sauf autre réglage du serveur.',
      resendDo: 'Renvoyer',
      sinceFuture: 'Ce moment est encore à venir.',
      queued_zero: 'Rien à envoyer : tout est arrivé depuis ce moment.',
      queued_one: '{{count}} envoi est en route.',
      queued_other: '{{count}} envois sont en route.',
      noRecordsInResource: 'Pas encore de point de réception. Un autre programme qui donne ici son adresse est informé de ce qui se passe.',
    },
  },
};

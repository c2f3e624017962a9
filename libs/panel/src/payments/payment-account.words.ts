import type { Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';

/** What the panel says of the payment account. */
export const words: Record<Language, ResourceWords> = {
  en: {
    plural: 'Online payment',
    singular: 'Payment account',
    properties: {
      provider: 'Provider',
      state: 'State',
      mode: 'Mode',
      key: 'Secret key',
      webhookUrl: 'Webhook address',
      updatedAt: 'Changed',
      id: 'Identifier',
    },
    values: {
      state: { on: 'On', off: 'Off', unreadable: 'Unreadable: type the keys again' },
      mode: { live: 'Real payments', test: 'Test: no money moves' },
    },
    actions: { keys: 'Enter the keys', check: 'Test the connection', enable: 'Switch on', disable: 'Switch off' },
    messages: {
      noRecordsInResource: 'Nobody can pay online yet. With an account at Stripe, buyers pay by card and the money goes to you.',
      saved: 'Saved: Stripe knows the key, and buyers can pay online',
      savedUnchecked: 'Saved. This key may not look at the account, so try a payment',
      checked: 'Stripe answers and knows the key',
      enabled: 'Buyers can pay online',
      disabled: 'Nobody can begin to pay online any more',
      disableSure: 'Switch online payment off? Payments that were begun are still ended and refunded.',
      confirmDelete: 'Forget this account and its keys? What was paid with it can then be refunded on Stripe’s own pages only.',
    },
  },
  fr: {
    plural: 'Paiement en ligne',
    singular: 'Compte de paiement',
    properties: {
      provider: 'Prestataire',
      state: 'État',
      mode: 'Mode',
      key: 'Clé secrète',
      webhookUrl: 'Adresse du webhook',
      updatedAt: 'Modifié',
      id: 'Identifiant',
    },
    values: {
      state: { on: 'Activé', off: 'Désactivé', unreadable: 'Illisible : saisissez les clés à nouveau' },
      mode: { live: 'Paiements réels', test: 'Essai : aucun argent ne circule' },
    },
    actions: { keys: 'Saisir les clés', check: 'Tester la connexion', enable: 'Activer', disable: 'Désactiver' },
    messages: {
      noRecordsInResource:
        'Personne ne peut encore payer en ligne. Avec un compte chez Stripe, on paie par carte et l’argent vous revient.',
      saved: 'Enregistré : Stripe connaît la clé, on peut payer en ligne',
      savedUnchecked: 'Enregistré. Cette clé n’a pas le droit de voir le compte : essayez un paiement',
      checked: 'Stripe répond et connaît la clé',
      enabled: 'On peut payer en ligne',
      disabled: 'Plus personne ne peut commencer à payer en ligne',
      disableSure: 'Désactiver le paiement en ligne ? Les paiements commencés vont encore à leur terme et se remboursent.',
      confirmDelete: 'Oublier ce compte et ses clés ? Ce qu’il a encaissé ne pourra plus être remboursé que sur les pages de Stripe.',
    },
  },
};

/** What stands around the keys' fields. */
export const formWords = {
  en: {
    lead: 'The keys are sealed: nobody can read them here again. Those that were set before are replaced.',
    secretKey: 'Secret key',
    secretKeyHelp: 'In Stripe under Developers, API keys: sk_live_…, or sk_test_… to try it out.',
    webhookUrl:
      'In Stripe under Developers, Webhooks, add this address, for every event of checkout.session, for charge.refunded and for refund.failed:',
    webhookSecret: 'Signing secret of that webhook',
    webhookSecretHelp: 'Stripe shows it once the address is added: whsec_…',
    save: 'Test and save',
  },
  fr: {
    lead: 'Les clés sont scellées : personne ne pourra les relire ici. Celles qui y étaient sont remplacées.',
    secretKey: 'Clé secrète',
    secretKeyHelp: 'Chez Stripe, sous Développeurs, Clés API : sk_live_…, ou sk_test_… pour essayer.',
    webhookUrl:
      'Chez Stripe, sous Développeurs, Webhooks, ajoutez cette adresse, pour chaque événement de checkout.session, pour charge.refunded et pour refund.failed :',
    webhookSecret: 'Secret de signature de ce webhook',
    webhookSecretHelp: 'Stripe l’affiche une fois l’adresse ajoutée : whsec_…',
    save: 'Tester et enregistrer',
  },
};

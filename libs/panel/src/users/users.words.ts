import type { Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';

/** What the panel says of users. */
export const words: Record<Language, ResourceWords> = {
  en: {
    plural: 'Users',
    singular: 'User',
    properties: {
      name: 'Name',
      email: 'E-mail',
      history: 'Record of rights',
      password: 'Password',
      mayCreateTenants: 'May create tenants',
      isSuperUser: 'Super-user',
      tenants: 'Administers',
      tenantsCount: 'Administers',
      lastSignInAt: 'Last sign-in',
      createdAt: 'Created',
      id: 'Identifier',
    },
    actions: { new: 'New user', newPassword: 'New password', reveal: 'New password' },
    messages: {
      passwordHelp:
        'At least 10 characters. New user: leave it empty to have one invented and shown. Editing: empty keeps the present one; a new one signs the user out everywhere.',
      mayCreateHelp: 'With an API key of theirs, new tenants can be created through the API.',
      superUserHelp: 'May sign in to every panel, this one included.',
      notYourself: 'You cannot take this right from yourself.',
      newPasswordSure: 'Set a new password? The present one stops working and the user is signed out everywhere.',
      revealLead: 'Hand this password over now: it is shown this once and cannot be read again.',
      revealGone: 'A password is shown once, when it is made. If it was lost, set a new one.',
    },
  },
  fr: {
    plural: 'Utilisateurs',
    singular: 'Utilisateur',
    properties: {
      name: 'Nom',
      email: 'E-mail',
      history: 'Historique des droits',
      password: 'Mot de passe',
      mayCreateTenants: 'Peut créer des lieux',
      isSuperUser: 'Super-utilisateur',
      tenants: 'Administre',
      tenantsCount: 'Administre',
      lastSignInAt: 'Dernière connexion',
      createdAt: 'Créé',
      id: 'Identifiant',
    },
    actions: { new: 'Nouvel utilisateur', newPassword: 'Nouveau mot de passe', reveal: 'Nouveau mot de passe' },
    messages: {
      passwordHelp:
        'Au moins 10 caractères. Nouvel utilisateur : laissez vide pour qu’il soit inventé et affiché. Modification : vide garde l’actuel ; un nouveau déconnecte l’utilisateur partout.',
      mayCreateHelp: 'Avec une clé d’API à son nom, de nouveaux lieux peuvent être créés par l’API.',
      superUserHelp: 'Entre dans tous les panneaux, y compris celui-ci.',
      notYourself: 'Vous ne pouvez pas vous retirer ce droit.',
      newPasswordSure: 'Définir un nouveau mot de passe ? L’actuel cesse de servir et l’utilisateur est déconnecté partout.',
      revealLead: 'Transmettez ce mot de passe maintenant : il n’est affiché qu’une fois et ne pourra plus être lu.',
      revealGone: 'Un mot de passe n’est affiché qu’une fois, à sa création. S’il est perdu, définissez-en un nouveau.',
    },
  },
};

/** What was done with a user's rights. */
export const userChangeWords: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    created: 'Created',
    super_user_granted: 'Became a super-user',
    super_user_revoked: 'Is no super-user any more',
    may_create_granted: 'May create tenants',
    may_create_revoked: 'May not create tenants any more',
    administrator_granted: 'Became an administrator',
    administrator_revoked: 'Is no administrator any more',
  },
  fr: {
    created: 'Créé',
    super_user_granted: 'Devenu super-utilisateur',
    super_user_revoked: 'N’est plus super-utilisateur',
    may_create_granted: 'Peut créer des lieux',
    may_create_revoked: 'Ne peut plus créer de lieux',
    administrator_granted: 'Devenu administrateur',
    administrator_revoked: 'N’est plus administrateur',
  },
};

// Keeps a holder's page for times without a network, and forgets all kept pages when the visitor signs out.
'use strict';

(() => {
  const { serviceWorker } = navigator;
  if (!serviceWorker || !self.caches) return;
  const { worker } = document.currentScript.dataset;
  if (worker) serviceWorker.register(worker, { scope: location.pathname, updateViaCache: 'none' }).catch(() => undefined);

  const forget = async () => {
    const workers = (await serviceWorker.getRegistrations()).filter(({ active }) => active?.scriptURL.includes('/assets/pass-worker.'));
    await Promise.all(workers.map((registration) => registration.unregister()));
    const names = (await caches.keys()).filter((name) => name.startsWith('pass '));
    await Promise.all(names.map((name) => caches.delete(name)));
  };
  for (const form of document.querySelectorAll('form[action="/account/sign-out"], form[action="/account/erase"]'))
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void forget().finally(() => form.submit());
    });
})();

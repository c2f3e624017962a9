/** Milliseconds after which the cookie of a confirmation that is under way has arrived. */
const settled = 1000;

/** Whether the session has ended. A request that began before a confirmation gave the session its new id is refused, too. */
async function hasEnded(): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, settled));
  return (await fetch('/admin/api/dashboard')).status === 401;
}

async function leave(): Promise<void> {
  if (!(await hasEnded())) return;
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/admin/login?next=${encodeURIComponent(here)}`);
}

// Leads to the sign-in page when an API call answers 401; AdminJS would only show that a list could not be loaded.
window.XMLHttpRequest = class extends XMLHttpRequest {
  constructor() {
    super();
    this.addEventListener('load', () => {
      if (this.status === 401 && this.responseURL.startsWith(`${window.location.origin}/admin/api/`)) void leave();
    });
  }
};

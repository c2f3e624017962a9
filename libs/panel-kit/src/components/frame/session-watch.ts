// Leads to the sign-in page when an API call answers 401; AdminJS would only show that a list could not be loaded.
window.XMLHttpRequest = class extends XMLHttpRequest {
  constructor() {
    super();
    this.addEventListener('load', () => {
      if (this.status !== 401 || !this.responseURL.startsWith(`${window.location.origin}/admin/api/`)) return;
      const here = window.location.pathname + window.location.search;
      window.location.assign(`/admin/login?next=${encodeURIComponent(here)}`);
    });
  }
};

// A session that ended is noticed at the next call; AdminJS would only say that a list could not be loaded.
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

// The last of the panel's scripts: renders the page with React.
const root = window.createRoot(document.getElementById('app')!);
root.render(window.AdminJS.Application);

// Last of the panel's scripts: hands the page to React.
{
  const root = window.createRoot(document.getElementById('app'));
  root.render(window.AdminJS.Application);
}

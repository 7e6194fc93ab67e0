// Runs before the first paint, as a classic script: the theme that was chosen, on the page.
(() => {
  let chosen = 'auto';
  try {
    chosen = localStorage.getItem('wrs.theme') ?? 'auto';
  } catch {
    // Storage is forbidden here: the theme of the system it is.
  }
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
})();

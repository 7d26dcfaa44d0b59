// Plain JavaScript that every Node runs, so that an old one reports its version instead of a syntax error.

const needed = 24
if (Number(process.versions.node.split('.')[0]) < needed) {
  process.stderr.write(
    `Fanfare needs Node ${needed} and this is ${process.version}: run \`npm ci\`, which installs it as the package ` +
      '"node", and then start through npm (`npm start`, `npm test`).\n',
  )
  process.exit(1)
}

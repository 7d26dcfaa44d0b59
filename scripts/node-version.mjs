// Plain JavaScript that every Node understands, so that an old one can say what is wrong.

const needed = 24
if (Number(process.versions.node.split('.')[0]) < needed) {
  process.stderr.write(
    `Fanfare needs Node ${needed} and this is ${process.version}: run \`npm ci\`, which installs it as the package ` +
      '"node", and then start through npm (`npm start`, `npm test`).\n',
  )
  process.exit(1)
}

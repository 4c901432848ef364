// Reads {path: [source, served]} and prints the paths whose two programs differ, in code or place.
// Node's own parser: the project needs none besides.
const acorn = require('internal/deps/acorn/acorn/dist/acorn')

const parse = (text) =>
  JSON.stringify(
    acorn.parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true }),
    (key, value) => {
      if (typeof value === 'bigint') return String(value)
      return key === 'start' || key === 'end' ? value?.line && value : value
    },
  )

const pairs = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
const different = Object.keys(pairs).filter((path) => {
  const [source, served] = pairs[path]
  return parse(source) !== parse(served)
})
console.log(JSON.stringify(different))

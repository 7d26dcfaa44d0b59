import { describe, expect, it } from 'vitest'
import { checkClientTexts } from './client-texts.ts'
import { plantProject } from './planted-project.ts'

const path = 'client/features/media/Card.tsx'
const put = '$' + '{name}'

describe('the check of where texts stand', () => {
  it.each([
    ['words between tags', '<p>Deleted</p>', 'Deleted'],
    ['words beside something', '<p>Deleted {date}</p>', 'Deleted'],
    ['a label', '<Field label="Price" />', 'Price'],
    ['a label that is put together', `<Field aria-label={\`remove ${put}\`} />`, 'remove …'],
    ['a label that is chosen', "<Field title={open ? 'Close' : name} />", 'Close'],
    ['a label of an object', "const inside = { 'aria-label': 'Filter' }", 'Filter'],
    ['the head of a column', "const columns = [{ id: 'name', header: 'Name' }]", 'Name'],
    ['a sentence in a constant', "const texts = { offer: 'There’s an offer.' }", 'There’s an offer.'],
    ['a sentence that is put together', `const text = \`Restore ${put}\``, 'Restore …'],
    [
      'one that begins with what is put in',
      `const text = \`${put} paid. Thank them.\``,
      '… paid. Thank them.',
    ],
  ])('refuses %s', async (_name, code, found) => {
    using project = plantProject({ [path]: code })
    expect(await checkClientTexts(project.folder)).toEqual([
      `${path}:1: “${found}” belongs into the feature's texts.ts.`,
    ])
  })

  it.each([
    ['a module of texts', 'client/features/media/texts.ts', "export const texts = { get: 'You get it.' }"],
    ['one of its own', 'client/ui/share-texts.ts', "export const texts = { get: 'You get it.' }"],
    ['a policy', 'client/features/policies/TermsPage.tsx', '<p>The terms</p>'],
    [
      'a document',
      'client/features/affiliates/AffiliatesPage.tsx',
      "import { TextPage } from '../../ui/text-page/TextPage.tsx'\n<p>Everyone has a link.</p>",
    ],
    ['a test', 'client/features/media/Card.test.tsx', "test('a card says what it is', () => {})"],
    ['keys and classes', path, `<p className={\`${put} ${put}\`} onKeyDown={on('ArrowUp')}>·</p>`],
    ['figures', path, `<p>{\`${put}, ${put}: 3\`}</p>`],
    ['what only a log says', path, "throw new Error('There is no card.')"],
    ['what a protocol says', path, `const headers = { authorization: \`Bearer ${put}\` }`],
    ['a type', path, "type Name = 'Visa card'"],
  ])('takes %s', async (_name, at, code) => {
    using project = plantProject({ [at]: code })
    expect(await checkClientTexts(project.folder)).toEqual([])
  })

  it('says that it found nothing to check', async () => {
    using project = plantProject({ 'server/app.ts': '' })
    expect(await checkClientTexts(project.folder)).toEqual(['There is no file of the client to check.'])
  })
})

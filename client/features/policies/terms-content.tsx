import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/TextLink.tsx'
import type { TextSection } from '../../ui/text-page/TextPage.tsx'

/** The terms on what creators publish. */
export const termsOfContent: readonly TextSection[] = [
  {
    id: 'publishing',
    title: 'Publishing',
    body: (
      <>
        <p>Before you publish or sell, you prove your identity and age. For each item you promise that:</p>
        <ul>
          <li>everyone shown was 18 or older when it was made, and you hold the records that prove it,</li>
          <li>everyone shown consented to it being made, published, and sold,</li>
          <li>it’s yours, or you have the right to publish it, including music and other people’s work,</li>
          <li>
            it follows our <TextLink to={paths.contentModeration}>content rules</TextLink> and the law.
          </li>
        </ul>
        <p>
          You give us copies of the records when we ask. Without them, we hide the item. See the{' '}
          <TextLink to={paths.recordKeeping}>2257 statement</TextLink>.
        </p>
      </>
    ),
  },
  {
    id: 'rights',
    title: 'Whose content it is',
    body: (
      <p>
        Yours. You allow us to store it, prepare it in other sizes and formats, show it to the people you
        choose, and show previews where you turned them on. This license is free, applies worldwide, and ends
        when you delete the item, except for people who already bought it. We don’t sell your content
        elsewhere and don’t use it to train AI.
      </p>
    ),
  },
  {
    id: 'forum',
    title: 'Promotion on the forum',
    body: (
      <p>
        If you connect a forum account, we post what you scheduled on your behalf, and nothing else. The
        forum’s own rules and those of each community apply to you. You can disconnect it at any time.
      </p>
    ),
  },
  {
    id: 'complaints',
    title: 'Complaints and removal',
    body: (
      <p>
        Anyone can report content or ask for its <TextLink to={paths.removal}>removal</TextLink>. We
        acknowledge <TextLink to={paths.complaints}>complaints</TextLink> within 2 business days and resolve
        them within 7. Intimate images without consent are hidden as soon as we read the report and removed
        within 48 hours. For trafficking and exploitation we have{' '}
        <TextLink to={paths.antiTrafficking}>zero tolerance</TextLink>.
      </p>
    ),
  },
]

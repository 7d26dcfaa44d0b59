import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/TextLink.tsx'
import { OperatorEmail } from '../../ui/text-page/OperatorContact.tsx'
import { PolicyPage } from './PolicyPage.tsx'

/** How content is taken down, intimate images without consent first (docs/product.md, Records and moderation). */
export function Component() {
  return (
    <PolicyPage
      title="Content removal"
      lead="If something here shows you and you didn’t agree to it, we take it down. You don’t need an account or a lawyer."
      updated="2026-11-29"
      summary={[
        'Intimate images without consent are removed within 48 hours, with the identical copies we know of, and can’t be uploaded again.',
        'We acknowledge every other request within 2 business days and decide it within 7.',
        'It’s free, and unless it’s a copyright notice, we don’t tell the uploader who you are.',
      ]}
      sections={[
        {
          id: 'ask',
          title: 'How to ask',
          body: (
            <>
              <p>
                Use our <TextLink to={paths.contact}>contact form</TextLink>, which gives you a case number,
                or write to <OperatorEmail /> with “Removal” in the subject. Tell us:
              </p>
              <ol>
                <li>
                  the address of the page where it is, or the username and enough for us to find it. Please
                  don’t send the image itself,
                </li>
                <li>that you are the person shown, or whom you act for,</li>
                <li>
                  that it was published without consent. One sentence in your own words is enough, with a line
                  that you say so in good faith,
                </li>
                <li>how we can reach you,</li>
                <li>your name as a signature. Typing it is enough.</li>
              </ol>
              <p>Something missing? Send what you have. We start with it and ask for the rest.</p>
            </>
          ),
        },
        {
          id: 'intimate',
          title: 'Intimate images without consent',
          body: (
            <>
              <p>
                This covers nude or sexual photos and videos that were taken or shared without consent, were
                shared in confidence, or were generated or edited by a computer to show you.
              </p>
              <ul>
                <li>
                  <strong>As soon as we read it:</strong> the item is hidden from everyone, buyers included.
                </li>
                <li>
                  <strong>Within 48 hours:</strong> we decide, and remove it together with the identical
                  copies we know of, wherever they are on this site. Its file is kept as evidence, where no
                  one can open it, and deleted with the account, at the earliest a year after the removal.
                </li>
                <li>
                  <strong>From then on:</strong> its fingerprint is blocked, so that no one can upload the
                  same file again, not even in a private message.
                </li>
              </ul>
              <p>We’d rather hide something that turns out to be fine than leave up something that isn’t.</p>
            </>
          ),
        },
        {
          id: 'minors',
          title: 'Anyone under 18',
          body: (
            <p>
              Report it at once, with “Under 18” in the subject and only the address of the page. We hide it
              as soon as we read your report, preserve it where no one can browse it, and report it to the
              authorities. Please don’t save it, and don’t send it to anyone, not even to us.
            </p>
          ),
        },
        {
          id: 'copyright',
          title: 'Your work, used without permission',
          body: (
            <>
              <p>
                If you hold the copyright, send us a notice with: the work; the address where it is used; your
                contact details; a statement that you believe in good faith that the use is not allowed; a
                statement, under penalty of perjury, that what you say is accurate and that you may act for
                the owner; and your signature.
              </p>
              <p>
                We take the item down and pass your notice to the uploader, who may answer it. Accounts that
                infringe repeatedly are closed.
              </p>
            </>
          ),
        },
        {
          id: 'other',
          title: 'Other reasons',
          body: (
            <p>
              You withdraw your consent, your private details are shown, or someone pretends to be you: you
              can ask for those to be removed too. We acknowledge these requests within 2 business days and
              decide them within 7, like every complaint. If you disagree, you can appeal; see{' '}
              <TextLink to={`${paths.complaints}#appeals`}>how appeals work</TextLink>.
            </p>
          ),
        },
        {
          id: 'own',
          title: 'Your own uploads',
          body: (
            <p>
              Creators can delete their own media in the dashboard at any time. From then on, no one new can
              buy or open it. Buyers keep access, unless it has to be removed for one of the reasons above.
            </p>
          ),
        },
        {
          id: 'afterwards',
          title: 'What you hear from us',
          body: (
            <p>
              The contact form gives you a case number at once; if you write by email, we confirm it. Then you
              get our decision and what we did. We keep a log of each step for at least 12 months. False
              reports made to harm someone can end an account and may have legal consequences.
            </p>
          ),
        },
      ]}
    />
  )
}

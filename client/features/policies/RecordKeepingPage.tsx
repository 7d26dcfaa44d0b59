import { useOperator } from '../../lib/operator.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/TextLink.tsx'
import { OperatorAddress, OperatorEmail } from '../../ui/text-page/OperatorContact.tsx'
import { PolicyPage } from './PolicyPage.tsx'

/** The statement on records of age and identity (18 U.S.C. 2257). */
export function Component() {
  const { operator, address } = useOperator()
  return (
    <PolicyPage
      title="2257 record-keeping compliance"
      lead="Statement under 18 U.S.C. 2257 and 2257A and 28 C.F.R. Part 75."
      updated="2026-11-21"
      summary={[
        'Everyone shown on this site was 18 or older when the content was made.',
        'Creators prove their identity and age, and keep consent and proof of age for everyone they show.',
        'The records are kept separate from the site and can be inspected by those the law names.',
      ]}
      sections={[
        {
          id: 'statement',
          title: 'Statement',
          body: (
            <>
              <p>
                {operator}, the operator of this site, requires that every person who appears in visual
                depictions of actual or simulated sexually explicit conduct on this site was at least 18 years
                old when the depiction was made. There are no exceptions.
              </p>
              <p>
                Content on this site is made and uploaded by independent creators. With regard to it, the
                creators are the primary producers. They must hold the records that the law requires and give
                us copies on request.
              </p>
            </>
          ),
        },
        {
          id: 'creators',
          title: 'What creators must show',
          body: (
            <>
              <p>Before anything of theirs is published or sold, a creator gives us:</p>
              <ul>
                <li>their legal name and date of birth,</li>
                <li>a copy of a valid identity document issued by a government, with a photo,</li>
                <li>every other name they use or have used, stage names and usernames included.</li>
              </ul>
              <p>
                For every other person in their content they hold the same records, and that person’s signed
                consent to being recorded, published and sold. Each item names the people shown in it. If a
                record is missing, the item is not published; if consent can’t be shown later, it is hidden at
                once.
              </p>
            </>
          ),
        },
        {
          id: 'records',
          title: 'How the records are kept',
          body: (
            <ul>
              <li>
                Each record holds the legal name, date of birth, aliases, a copy of the document, and for each
                depiction a copy, its address on this site and the date it was made.
              </li>
              <li>They can be looked up by name, by alias and by depiction.</li>
              <li>
                They are encrypted, stored apart from the site’s other data, and seen only by the people who
                review them. Every access is logged.
              </li>
              <li>
                They are kept as long as the law requires, even after an account is deleted, and then
                destroyed.
              </li>
            </ul>
          ),
        },
        {
          id: 'exempt',
          title: 'Content that the law exempts',
          body: (
            <p>
              Depictions that show no sexually explicit conduct as the law defines it need no such records. We
              ask for proof of age and identity anyway: we check every creator, whatever they publish.
            </p>
          ),
        },
        {
          id: 'custodian',
          title: 'Custodian of records',
          body: (
            <p>
              {address ? (
                <>
                  Custodian of Records, <OperatorAddress />, <OperatorEmail />.
                </>
              ) : (
                <>
                  The custodian of records can be reached at <OperatorEmail />.
                </>
              )}{' '}
              Send requests to inspect the records, or to learn where they are kept, to this email address
              with “2257” in the subject.
            </p>
          ),
        },
        {
          id: 'report',
          title: 'If you doubt someone’s age',
          body: (
            <p>
              Tell us at once; see <TextLink to={`${paths.removal}#minors`}>content removal</TextLink>. We
              hide the item first and check it afterward.
            </p>
          ),
        },
      ]}
    />
  )
}

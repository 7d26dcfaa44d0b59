import type { ReactNode } from 'react'
import { useOperator } from '../../lib/operator.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/TextLink.tsx'
import { OperatorAccount, OperatorAddress, OperatorEmail } from '../../ui/text-page/OperatorContact.tsx'
import { TextPage, type TextSection } from '../../ui/text-page/TextPage.tsx'

type PolicyPageProps = {
  title: string
  lead: ReactNode
  /** The day of the last change, `YYYY-MM-DD`. */
  updated: string
  summary: readonly ReactNode[]
  sections: readonly TextSection[]
}

/** A policy; every one ends with how to reach the operator. */
export function PolicyPage({ sections, ...policy }: PolicyPageProps) {
  return <TextPage {...policy} sections={[...sections, questions]} />
}

const questions: TextSection = {
  id: 'questions',
  title: 'Questions',
  body: <Questions />,
}

function Questions() {
  const { address } = useOperator()
  return (
    <p>
      Write to <OperatorEmail />
      {address && (
        <>
          {' '}
          or to <OperatorAddress />
        </>
      )}
      , message <OperatorAccount />, or use the <TextLink to={paths.contact}>contact form</TextLink>. A real
      person reads it.
    </p>
  )
}

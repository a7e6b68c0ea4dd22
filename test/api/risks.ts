/** What can go wrong in a function, as it is written there: the errors it throws, what it calls, and what it catches of both. */

import {
  type CatchClause,
  type Expression,
  isCallExpression,
  isIdentifier,
  isIfStatement,
  isNewExpression,
  isPropertyAccessExpression,
  isPropertyDeclaration,
  isThrowStatement,
  isTryStatement,
  isVoidExpression,
  type Node,
  SyntaxKind,
  type TryStatement,
} from 'typescript/unstable/ast'

export type Risk =
  | { readonly kind: 'error'; readonly name: string }
  /** One whose type says which it is. */
  | { readonly kind: 'typed'; readonly expression: Expression }
  /** The name under which something is called. */
  | { readonly kind: 'call'; readonly name: Node }
  /** Handed over to be called: by what has the name `to`. */
  | { readonly kind: 'callback'; readonly to: Node; readonly risks: readonly Risk[] }
  /** What a handler throws again: of these, or only of `only`, all `but` some. */
  | {
      readonly kind: 'rethrown'
      readonly of: readonly Risk[]
      readonly only: readonly string[]
      readonly but: readonly string[]
    }

export function risksIn(body: Node): Risk[] {
  return [...risks(body)]
}

function* risks(node: Node): Generator<Risk> {
  if (isLater(node)) return
  if (isTryStatement(node)) {
    yield* risksOfTry(node)
    return
  }
  if (isThrowStatement(node)) yield* thrown(node.expression)
  if (isNewExpression(node)) {
    yield { kind: 'call', name: node.expression }
    yield* handedOver(node.expression, node.arguments ?? [])
  }
  if (isCallExpression(node)) {
    const { expression: callee } = node
    if (isPropertyAccessExpression(callee) && callee.name.text === 'catch') {
      for (const argument of node.arguments) if (isFunction(argument)) yield* children(argument)
      return
    }
    if (isIdentifier(callee) && callee.text === 'reject' && node.arguments[0])
      yield* thrown(node.arguments[0])
    const name = isPropertyAccessExpression(callee) ? callee.name : callee
    // A decimal that is written in the program is read whenever it runs.
    if (name.getText() === 'fp9' && node.arguments[0]?.kind === SyntaxKind.StringLiteral) return
    yield { kind: 'call', name }
    yield* handedOver(name, node.arguments)
  }
  yield* children(node)
}

function* children(node: Node): Generator<Risk> {
  const found: Node[] = []
  node.forEachChild((child) => void found.push(child))
  for (const child of found) yield* risks(child)
}

/** Functions that are not called where they stand, and promises that nobody waits for. */
function isLater(node: Node): boolean {
  return (
    isFunction(node) ||
    isVoidExpression(node) ||
    node.kind === SyntaxKind.ClassDeclaration ||
    node.kind === SyntaxKind.ClassExpression
  )
}

const FUNCTIONS: readonly SyntaxKind[] = [
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
  SyntaxKind.Constructor,
]

export const isFunction = (node: Node): boolean => FUNCTIONS.includes(node.kind)

function* handedOver(to: Node, given: readonly Expression[]): Generator<Risk> {
  for (const argument of given) {
    if (isFunction(argument)) yield { kind: 'callback', to, risks: [...children(argument)] }
    else if (isIdentifier(argument)) yield { kind: 'callback', to, risks: [{ kind: 'call', name: argument }] }
  }
}

/** An error made on the spot; one that a function makes; or one caught before, which its handler sees to. */
function* thrown(expression: Expression): Generator<Risk> {
  if (isNewExpression(expression)) yield { kind: 'error', name: expression.expression.getText() }
  else yield { kind: 'typed', expression }
}

function* risksOfTry({ tryBlock, catchClause, finallyBlock }: TryStatement): Generator<Risk> {
  const tried = [...risks(tryBlock)]
  if (catchClause === undefined) yield* tried
  else {
    for (const { only, but } of rethrows(catchClause)) yield { kind: 'rethrown', of: tried, only, but }
    yield* risks(catchClause.block)
  }
  if (finallyBlock !== undefined) yield* risks(finallyBlock)
}

function rethrows({ variableDeclaration, block }: CatchClause): { only: string[]; but: string[] }[] {
  const name = variableDeclaration?.name
  if (name === undefined || !isIdentifier(name)) return []
  const caught = name.text
  const found: { only: string[]; but: string[] }[] = []
  const visit = (node: Node, only: string[], but: string[]): void => {
    if (isFunction(node)) return
    if (isThrowStatement(node) && isIdentifier(node.expression) && node.expression.text === caught)
      found.push({ only, but })
    if (isIfStatement(node)) {
      const named = classesNamed(node.expression, caught)
      const [some, none] = node.expression.getText().startsWith('!') ? [[], named] : [named, []]
      visit(node.thenStatement, some.length > 0 ? some : only, [...but, ...none])
      if (node.elseStatement) visit(node.elseStatement, only, [...but, ...some])
      return
    }
    // What an earlier branch of the handler has seen to is not there any more.
    let seen = but
    node.forEachChild((child) => {
      visit(child, only, seen)
      if (isIfStatement(child) && !/^!|&&/.test(child.expression.getText()))
        seen = [...seen, ...classesNamed(child.expression, caught)]
    })
  }
  visit(block, [], [])
  return found
}

/** The classes that a condition asks for. */
function classesNamed(condition: Expression, caught: string): string[] {
  const asked = condition.getText().matchAll(new RegExp(`\\b${caught} instanceof (\\w+)`, 'g'))
  return Array.from(asked, ([, name = '']) => name)
}

/** What a class does when it is made: its constructor and what its fields begin with. */
export function risksOfMaking(declaration: Node): Risk[] {
  const found: Risk[] = []
  declaration.forEachChild((member) => {
    if (member.kind === SyntaxKind.Constructor) found.push(...children(member))
    if (isPropertyDeclaration(member) && member.initializer !== undefined)
      found.push(...risks(member.initializer))
  })
  return found
}

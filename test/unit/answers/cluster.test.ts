import { keepAnswers } from './keepAnswers.ts'

keepAnswers('cluster')

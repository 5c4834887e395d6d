"""What the name of a column says about the part the column plays.

A name is cut into words: "WorkerId", "worker_id" and "worker ID" are the words *worker* and *id*.  The lists below
hold words of English, German, French, Spanish, Italian, Portuguese and Dutch as they were met in real tables.  A name
is one piece of evidence beside what the column holds, never the only one where the two contradict each other.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable
from functools import cache


def lexicon(text: str) -> frozenset[str]:
    """Words that stand one after another in a text."""
    return frozenset(text.split())


# Those who annotate, in English …
ANNOTATOR = lexicon("""
    annotator annotators ann rater raters coder coders judge judges reviewer reviewers assessor assessors
    evaluator evaluators labeler labeller labelers labellers worker workers turker crowdworker user users
    username observer observers participant participants respondent respondents grader graders expert
    experts performer ranker rankers tagger taggers voter voters evaluators crowdworkers turkers
""")
# … and all people, as a column of a long table or with a number in a wide one.
PERSON = ANNOTATOR | lexicon("""
    annot anot annotateur annotatrice annotatore anotador anotadora annotateurs annotierer annotator1
    rater1 kodierer codierer codeur codificador codificadora codificatore coding juge juez jueza giudice
    richter juror jury relecteur revisor revisora assesseur assesor evaluateur evaluador evaluadora
    valutatore avaliador avaliadora bewerter bewertende gutachter observer1 obs beobachter observateur
    observador osservatore teilnehmer proband vp vpn participante partecipante respondant encuestado
    scorer scorers marker markers examiner examiners examinateur prufer korrektor experte experto esperto
    reader readers reader1 doctor doctors physician physicians radiologist radiologists pathologist
    pathologists dermatologist cardiologist clinician clinicians arzt medecin medico surgeon surgeons
    nurse dentist person persons personne persona humain human humans humano mensch student students
    teacher teachers tutor analyst adjudicator researcher koder anotator beoordelaar codeerder kodeur
    jurylid evaluatore rilevatore bedommer subjectid rater_id who author curator interviewer referee
    linguist native member teammate colleague volunteer volunteers intern panelist panellist assistant ra
    validator validators verifier verifiers screener screeners adjudicators
""")

# Things that are judged.
ITEM = lexicon("""
    item items itemid id ids idx index uid uuid guid key nr no num number task tasks unit units subject
    doc docs document documents text sentence sent example sample instance record row case cases post
    tweet image img picture photo file filename path video audio clip frame hit question query prompt pair
    article paper comment message utterance turn dialog dialogue conversation claim review patient
    paciente probe slide lesion scan study essay answer segment passage paragraph snippet word term token
    url link page story entry einheit objekt fall satz dokument bild datei aufgabe frage phrase exemple
    unite sujet tache oracion frase documento imagen tarea caso nota resumen elemento compito immagine
    stimulus stimuli trial target prototype meme product ad name identifiant identifier kennung bezeichner
    identificador codigo numero nummer
""")

# What they give, in English …
ANSWER = lexicon("""
    value values label labels category class score scores answer rating ratings code codes annotation
    annotations response responses judgment judgement judgments judgements grade grades choice choices
    verdict tag tags decision decisions vote votes
""")
# … and all words for answers.
VALUE = ANSWER | lexicon("""
    labelled categories classes classification scoring rate rated coded diagnosis opinion evaluation
    assessment severity stance sentiment emotion polarity intent relevance wert bewertung kategorie klasse
    note urteil etiquette valeur jugement reponse etiqueta valor categoria clase puntuacion calificacion
    respuesta voto etichetta valore punteggio giudizio antwort antworten etikett einstufung einschatzung
    beurteilung kodierung jugements reponses categorie classe avis cote respuestas clasificacion juicio
    etiquetas risposta classificazione valutazione classificacao avaliacao rotulo resposta ocena etykieta
    oordeel beoordeling antwoord
""")

# What was agreed on, or computed from the answers.
DERIVED = lexicon("""
    gold golden truth true groundtruth gt reference ref expected correct final agreed agree agrees
    agreement consensus majority maj adjudicated adjudication resolved resolution reconciled
    reconciliation both mode median mean avg average sum total totals diff difference delta match matches
    matching same equal disagree disagreement conflict std sd stdev stddev variance min max range count
    counts freq frequency kappa alpha overall changed combined merged aggregate aggregated validated
    verified verdict_final mehrheit mittel mittelwert summe gesamt konsens accord moyenne mediane somme
    majorite verite acuerdo media promedio suma mayoria desacuerdo verdad accordo maggioranza percent pct
    ratio confidence_mean tie ties winner entropy prop proportion share votes_for accuracy_mean endurteil
    endgultig endfassung einigung einig ubereinstimmung konsensus definitivo definitiva definitif acordado
    acordada consensuado consensuel consensuelle concordato coinciden consenso eindoordeel definitief
    definitieve meerderheid maioria overeenstemming gemiddelde mediaan wiekszosc srednia ostateczna finale
    majoritaire mayoritario most common unanimous identical
""")

MODEL = lexicon("""
    gpt gpt3 gpt4 gpt4o chatgpt openai davinci o1 o3 llm llms model models modell modele modelo predicted
    prediction predictions pred preds predict machine automatic auto automated system bert roberta deberta
    spacy claude anthropic llama llama2 llama3 gemini gemma palm bard mistral mixtral qwen deepseek phi
    falcon vicuna alpaca bloom cohere grok classifier algorithm ai bot baseline svm vorhersage prediccion
    predizione previsione previsao voorspelling predykcja lstm cnn vader textblob rule rules softmax logit
    logits prob probs probability
""")

TEXT = lexicon("""
    text texts sentence sentences content body title headline heading abstract summary description desc
    prompt prompts instruction instructions input context premise hypothesis question query passage
    paragraph article story caption tweet post message utterance snippet quote transcript transcription
    url uri link href path source_text definition pattern word gloss term name inhalt titel beschreibung
    satz texte phrase contenu titre texto oracion titulo descripcion testo frase address email
""")

# Remarks on an answer, in English and otherwise.
REMARK = lexicon("""
    comment comments note notes rationale explanation reason justification
""")
COMMENT = REMARK | lexicon("""
    remark remarks rationales explanations reasons reasoning feedback observation observations kommentar
    kommentare bemerkung bemerkungen anmerkung anmerkungen notiz notizen begrundung commentaire
    commentaires remarque remarques comentario comentarios observaciones observacion razon commento
    commenti osservazioni memo why
""")

# What is recorded of the work, and all else that is known of items and annotators.
WORK = lexicon("""
    date time times timestamp created started submitted updated duration seconds state source version
    status url link confidence
""")
OTHER = WORK | lexicon("""
    dates datetime modified sec secs minutes elapsed worktime split fold set subset partition lang
    language locale country region city origin dataset corpus collection batch round phase group cluster
    session ip browser device channel trust reward age gender sex race ethnicity education nationality
    income religion party year month day week uri license length len tokens words chars width height lat
    lon weight weights unnamed level index datum zeit uhrzeit dauer sprache land alter geschlecht langue
    pays duree fecha tiempo idioma pais edad sexo data lingua paese eta domain genre topic type types
    venue track order position page line offset start end certainty sure difficulty random seed flag flags
    prob probs probability logit logits used applied rt latency millis milliseconds ms durata duracao
    duracion duur tempo section seccion sezione sectie field rubrik outlet platform publisher medium
    retweets likes shares document documents chapter thread conversation dialogue discussion
""")

# What is known of people.
PERSONAL = lexicon("""
    age gender sex race ethnicity education nationality religion income occupation profession ideology party native
    alter geschlecht bildung beruf age sexe edad sexo genero educacion eta sesso genere leeftijd geslacht
""")

# States of one answer, not annotators.
STAGE = lexicon("""
    original orig initial final revised revision old new before after pre post previous current draft
    corrected updated round phase wave pass stage time t v version vorher nachher avant apres antes
    despues
""")

# What tells one question from another where they stand in rows.
QUESTION = lexicon("""
    question questions skill skills criterion criteria dimension dimensions aspect aspects attribute
    attributes trait rubric metric measure variable facet construct scale quality property kriterium frage
    merkmal critere pregunta criterio question_id question_name
""")

# Numbers that come out of an analysis of agreement, not into it.
RESULT = lexicon("""
    kappa kappas cohen fleiss krippendorff alpha icc pvalue p_value f1 fscore precision recall auc roc r2
    rmse mae pearson spearman kendall correlation corr ci lower upper zscore stderr se odds loss
""")

# What is asked about items: columns called so are questions to one person, not persons.
ASKED = lexicon("""
    relevance relevant coherence coherent fluency fluent consistency consistent informativeness
    informativity informative structure correctness correct usefulness useful helpfulness helpful
    harmlessness harmful accuracy accurate completeness complete clarity clear readability readable
    creativity creative originality novelty grammar grammaticality grammatical style tone mood quality
    naturalness natural adequacy faithfulness factuality factual truthfulness honesty toxicity toxic hate
    hateful hatespeech offensive insult threat violence profanity obscene sexual racism sexism racist
    sexist identity bias biased sarcasm irony humor humour funny subjective subjectivity anger angry joy
    sadness sad fear disgust surprise trust anticipation love happy happiness neutral positive negative
    valence arousal dominance sentiment emotion emotions stance intent intention topic subject politeness
    formality empathy specificity complexity simplicity difficulty interestingness engagement engaging
    persuasiveness persuasive confidence confident satisfaction overall preference present absent hair
    lighting color colour environment composition element gender race religion disability nationality
    origin orientation direction background foreground shape size texture symmetry border severity urgency
    importance likelihood plausibility compliance informativite pertinence qualite relevancia veracidad
    coherencia cohesion claridad utilidad calidad fabrication functional procedural imperative spam noise
    blur age sex
""")

_GIVEN = """
al dee di ed flo gus hal ike jed jo kit lou mel ned ola pip roz sal syd tad val viv wes zed aaron abdul abdullah abel
abigail adam adele adi adrian adriana agnes agnieszka ahmad ahmed aicha aiden aisha akira alain alan albert alberto
aldo alejandra alejandro aleksandr alena alessandra alessandro alessio alex alexander alexandra alexandre alexei
alexis alfred alfredo ali alice alicia alina alison allison alma alvaro amanda amber amelia amelie amina amir amit amy
ana anastasia anders andre andrea andreas andrei andres andrew andrzej andy angel angela angelo anil anita anja anjali
ankit ankita ann anna annabel anne annette annie annika antoine anton antonia antonio antonis anya april ari ariana
ariel arjun arman armando arne arnaud arnold art arthur arturo arun ashley ashok asma asta astrid aurelie aurora
austin ava axel ayse aziz barbara barry bart bas beata beatrice beatriz becky bella ben benedict benjamin benoit bente
bernard bernd bert beth betty bianca bilal bill billy birgit bjorn bo bob bogdan boris brad bradley brandon brenda
brian bridget britta bruce bruno bryan calvin cameron camila camille carl carla carlo carlos carmen carol carolina
caroline carsten catherine cathy cecile cecilia celia celine chad chandra chang charles charlie charlotte chen cheng
chiara chloe chris christa christian christiane christina christine christoph christophe christopher chun cindy claire
clara claudia claudio clement clemens colin connor corinna cristian cristina cy cynthia dagmar daisy damian damien dan
dana daniel daniela danielle danny daphne daria dario darja dave david dean deborah deepa deepak denis dennis derek
diana diane didier diego dieter dima dimitri dina dirk dmitri dmitry dominic dominik dominique don donald donna doris
dorothy doug douglas duc dylan eddie edgar edith eduardo edward edwin eileen elaine elena eleni eli elias elif elin
elisa elisabeth elise eliza elizabeth ella ellen elliot elsa emil emile emilia emilie emily emma emmanuel enrico
enrique eric erica erik erika erin ernest ernesto ernst esther ethan eugene eva evan eve evelyn fabian fabio fabrizio
fang fatima fatma fei felix feng ferdinand fernanda fernando filip filippo finn fiona flora florence florian fortune
franca frances francesca francesco francis francisco franck francois frank franz fred frederic frederik friedrich
fritz gabriel gabriela gael gareth gary gavin gemma gene george georg georges georgia gerald gerard gerd gerhard gerry
gianluca gilles gina giorgio giovanna giovanni giulia giulio giuseppe gloria gonzalo gordon grace graham greg gregor
gregory greta grzegorz guido guillaume gunnar gustav guy hana hanna hannah hans harald haris harini harold harry
haruka hasan hassan heather hector heidi heike heinz helen helena helene helga helmut hemant hendrik henri henrik
henry herbert hermann hiro hiroshi holger holly hong howard hua huang hugh hugo hui hussein ian ibrahim ida ignacio
igor ilse ines inga inge ingo ingrid irena irene irina iris isaac isabel isabella isabelle ismail ivan ivana ivo jack
jackie jacob jacqueline jacques jaime jake jakob jakub james jamie jan jana jane janet janina janine jannis jasmin
jasmine jason jasper javier jay jean jeanne jeff jeffrey jen jenna jennifer jenny jens jeremy jerome jerry jesper jess
jesse jessica jesus ji jia jian jill jim jimmy jin jing joan joana joanna joao joaquin jochen joe joel joerg johan
johann johanna johannes john johnny jon jonas jonathan jordan jordi jorge jorn jose josef joseph josephine josh joshua
joy joyce juan juana judith judy jui julia julian juliana julie julien juliette julio julius jun jung jurgen justin
justine kai kamal kamil karel karen karim karin karina karl karla karolina kasper kate katerina katharina katherine
kathleen kathrin kathy katie katja katrin kay kazuki keith kelly ken kenji kenneth kerstin kevin khaled kim kira
kirsten klara klaus konrad konstantin krishna kristin kristina kristof krzysztof kumar kurt kyle lara larissa larry
lars laszlo latifa laura lauren laurence laurent laurits lea leah lee lei leila lena leo leon leonard leonardo leonie
leslie lewis li lia liam liang lidia lilian lilly lily lin lina linda ling lisa liu liz lloyd logan lola lora lorena
lorenzo lori lotte louis louisa louise luc luca lucas lucia lucie lucy ludwig luis luisa luka lukas luke luz lydia
lynn madeleine madison magda magdalena maggie mai maja malik malin manfred manoj manuel manuela marc marcel marcelo
marcia marco marcos marcus margaret margarita maria mariam marian mariana marianne marie marija marina mario marion
marius mark marko markus marlene marta martha martin martina marvin mary maryam masha mateo mateusz mathias mathieu
mathilde matilda matt matteo matthew matthias matthieu maurice mauro max maxim maxime maya megan mehdi mehmet mei
melanie melissa mercedes meryem mia michael michaela michal michel michele michelle miguel mihai mika mike mikhail
mila milan milena milos min ming mira miriam mo mohamed mohammad mohammed mohan moira molly mona monica monika monique
morgan moritz morten muhammad murat mustafa nadia nadine nadja naomi naomie nancy nasser nat natalia natalie natasha
nathalie nathan neha neil nele nelson nia nicholas nick nicola nicolas nicole niels nihal nik nikita niklas nikola
nikolai nikolas nikos nils nina nisha noah noel noemi nora norbert norma norman nour nuno oksana olaf ole oleg olga
oliver olivia olivier omar oscar oskar oswald otto owen pablo paige pamela paola paolo parisa pascal pat patrice
patricia patrick patrik paul paula paulina pauline paulo pavel pawel pedro peggy penelope per peter petr petra phil
philip philipp philippa philippe phillip pia pierre pietro pilar ping piotr pooja prakash priya qiang quentin rachel
rafael ragnar rahul raj rajesh ralf ralph ramon ran randy raoul raphael raquel rasmus raul ravi ray raymond rebecca
regina reiner reinhard remi rena renata renate rene reza ricardo riccardo richard rick rita rob robert roberta roberto
robin rodrigo roger rohan rohit roland rolf roman ron ronald ronja rosa rosalie rose ross roy ruben rudolf rui rupert
russell ruth ryan sabine sabrina sacha said sally salma sam samantha sami samir samuel sandeep sandra sandy sanjay
santiago sara sarah sasha saskia scott sean sebastian sebastien sergei sergey sergio seth shane sharon shaun sheila
shi shirley shu sigrid silke silvia simon simona simone sina sofia sofie sonia sonja sophia sophie stan stefan
stefania stefanie stefano steffen stephan stephane stephanie stephen steve steven stuart sue sumit sunil sunita susan
susana susanne suzanne sven svetlana sylvia sylvie takeshi tamara tania tanja tara tariq tatiana ted teresa terry thea
theo theodor theresa therese thibaut thomas thorsten tian tilman tim timo timothy tina tobias todd tom tomas tomasz
tommy toni tony torsten tracy tristan ulf ulla ulrich ulrike umar ursula uta ute uwe vadim valentin valentina valeria
valerie vanessa vera veronica veronika vicky victor victoria vijay vikram viktor viktoria vincent viola violeta
virginia vita vitor viviana vivian vivien vladimir walter wang wei wendy wenjie werner wilhelm will william willy
wolfgang xavier xia xiao xin xu yan yang yannick yara yasmin yi ying yiming yolanda yolande youssef yu yuan yui yuki
yuri yusuf yves yvonne zach zachary zahra zara zeynep zhang zhao zhen zhi zhou zoe zoltan
"""


@cache
def given_names() -> frozenset[str]:
    """First names of many countries."""
    return frozenset(_GIVEN.split())


@cache
def words(name: Hashable) -> tuple[str, ...]:
    """The words of a name, without accents and in small letters; numbers are words of their own.

    A name of several levels is called by its last one.

    >>> words("WorkerId"), words("persuasiveness_rater1"), words(" Rating (AB)")
    (('worker', 'id'), ('persuasiveness', 'rater', '1'), ('rating', 'ab'))
    """
    spelled = str(name[-1]) if isinstance(name, tuple) and name else str(name)
    flat = unicodedata.normalize("NFKD", spelled)
    flat = "".join(sign for sign in flat if not unicodedata.combining(sign)).replace("ß", "ss")
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|[A-Z]+|\d+", flat)
    return tuple(part.lower() for part in parts)


def has(name: Hashable, lexicon: frozenset[str]) -> bool:
    """Whether one of the words of a name is in a list; words run together are tried as well."""
    parts = words(name)
    return any(word in lexicon for word in parts) or "".join(parts) in lexicon


def last(name: Hashable) -> str:
    """The last word that is not a number: what a name is about in English."""
    return next((word for word in reversed(words(name)) if not word.isdigit()), "")


def stem(name: Hashable) -> tuple[str, str] | None:
    """A numbered or lettered name in two: ('rater', '1'), ('coder', 'a'); None where it is neither."""
    parts = words(name)
    if len(parts) >= 2 and (parts[-1].isdigit() or len(parts[-1]) == 1):
        return " ".join(parts[:-1]), parts[-1]
    if len(parts) >= 2 and parts[0].isdigit():
        return " ".join(parts[1:]), parts[0]
    return None


def root(name: Hashable) -> str:
    """What a numbered or lettered name is without its number or letter; empty where it has none."""
    return (stem(name) or ("",))[0]
